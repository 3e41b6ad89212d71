/**
 * Erases what the database holds about recipients: scans every table that can name one, in slices that let other work
 * in between.
 */
import { erasedMark, tellingDigitsOf, withoutNumber } from "../../domain/recipient-text.ts";
import { isCancellable, isFinal } from "../../domain/status.ts";
import { errorAfter } from "../../domain/uncertain-policy.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { MessageRow } from "../../store/messages.ts";
import { type AuditTexts, type WalkedTable, walkedTables } from "../../store/recipient-data.ts";
import type { Store, Tables } from "../../store/store.ts";

export interface EraserDeps {
  store: Store;
  clock: { now(): number };
  /** True while a group is being sent to, or imported, from this list. */
  isListRead(listId: number): boolean;
}

/** Whose data is erased. */
export interface ErasureTarget {
  matches(e164: string): boolean;
  /** Known before the search. */
  numbers: readonly string[];
  /** Nothing is being sent: messages that look so were left by a crash or by the restored copy. */
  isIdle: boolean;
}

/** Rows erased per table. `busy`: messages being sent and members of lists in use; call again for those. */
export interface ErasureReport {
  messages: number;
  inbound: number;
  members: number;
  oneTimePasswords: number;
  suppressions: number;
  busy: number;
}

/** Ids scanned per turn of the event loop: about five milliseconds. */
const sliceIds = 5_000;
const sliceAudit = 200;

export class RecipientEraser {
  constructor(private readonly deps: EraserDeps) {}

  /** If a crash interrupts it, another run finds the rest. Rejects with StoreUnavailable. */
  async erase(target: ErasureTarget): Promise<ErasureReport> {
    const report = { messages: 0, inbound: 0, members: 0, oneTimePasswords: 0, suppressions: 0, busy: 0 };
    const numbers = new Set(target.numbers);
    const matches = (e164: string) => {
      const isMatch = e164 !== "" && target.matches(e164);
      if (isMatch) numbers.add(e164);
      return isMatch;
    };
    const erased: number[] = [];
    for (const table of walkedTables) await this.#eraseWalked(table, { ...target, matches }, report, erased);
    await this.#eraseFromSearch(erased);
    await this.#eraseMembers(matches, report);
    await this.#eraseSuppressions(matches, report);
    for (const number of numbers) await this.#eraseMentions(number);
    return report;
  }

  async #eraseWalked(
    table: WalkedTable,
    { matches, isIdle }: ErasureTarget,
    report: ErasureReport,
    erased: number[],
  ): Promise<void> {
    const { store, clock } = this.deps;
    const { recipientData } = store.tables;
    for (let after = 0; after < recipientData.newestId(table); after += sliceIds) {
      const ids = recipientData.walk(table, after, after + sliceIds).filter(({ recipient }) => matches(recipient));
      if (ids.length === 0) await nextTurn();
      for (const { id } of ids) {
        const outcome = await store.write((tables) => eraseRow(tables, table, id, { at: clock.now(), isIdle }));
        if (outcome === "busy") report.busy += 1;
        else if (outcome === "message") {
          report.messages += 1;
          erased.push(id);
        } else if (table === "smpp_assembly") report.messages += 1;
        else if (table === "otp_send") report.oneTimePasswords += 1;
        else report.inbound += 1;
      }
    }
  }

  async #eraseFromSearch(erased: readonly number[]): Promise<void> {
    for (let left = [...erased]; left.length > 0; ) {
      const ids = left;
      left = [...(await this.deps.store.write(({ recipientData }) => recipientData.eraseFromSearch(ids)))];
    }
  }

  async #eraseMembers(matches: (e164: string) => boolean, report: ErasureReport): Promise<void> {
    const { store, isListRead } = this.deps;
    const { recipientData } = store.tables;
    for (const { id: listId, memberCount } of recipientData.memberLists()) {
      const positions: number[] = [];
      for (let from = 0; from < memberCount; from += sliceIds) {
        const found = recipientData.members(listId, from, from + sliceIds);
        positions.push(...found.flatMap(({ position, recipient }) => (matches(recipient) ? [position] : [])));
        await nextTurn();
      }
      for (const position of positions.reverse()) {
        if (isListRead(listId)) report.busy += 1;
        else {
          await store.write((tables) => tables.recipientData.eraseMember(listId, position));
          report.members += 1;
        }
      }
    }
  }

  async #eraseSuppressions(matches: (e164: string) => boolean, report: ErasureReport): Promise<void> {
    const { store } = this.deps;
    const { suppression } = store.tables;
    for (const list of suppression.lists()) {
      for (let after = 0; ; ) {
        const numbers = suppression.numbers(list, after, sliceIds);
        for (const number of numbers.filter((one) => matches(`+${one}`))) {
          const isErased = await store.write((tables) => tables.suppression.erase(list, number));
          if (isErased) report.suppressions += 1;
          else report.busy += 1;
        }
        if (numbers.length < sliceIds) break;
        after = numbers.at(-1) ?? after;
        await nextTurn();
      }
    }
  }

  /** Erases the number inside texts: the audit, Idempotency-Keys, unmatched receipts. */
  async #eraseMentions(number: string): Promise<void> {
    const { store } = this.deps;
    const change = withoutRecipient(number);
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      after = await store.write(({ recipientData }) => recipientData.changeAudit(from, sliceAudit, change));
    }
    const digits = tellingDigitsOf(number);
    const newest = store.tables.recipientData.newestId("request");
    for (let after = 0; after < newest; after += sliceIds) {
      await store.write(({ recipientData }) => recipientData.forgetKeys(after, after + sliceIds, digits));
    }
    await store.write(({ recipientData }) => recipientData.removeOrphans(digits));
  }
}

type Outcome = "message" | "other" | "busy";

interface Moment {
  /** Epoch milliseconds. */
  at: number;
  isIdle: boolean;
}

function eraseRow(tables: Tables, table: WalkedTable, id: number, moment: Moment): Outcome {
  const { recipientData } = tables;
  if (table === "otp_send") recipientData.eraseOtpSend(id);
  else if (table === "inbound") recipientData.eraseInbound(id, moment.at);
  else if (table === "inbound_assembly") recipientData.eraseAssembly(id);
  else if (table === "smpp_assembly") eraseSegments(tables, id);
  else return eraseMessage(tables, recipientData.message(id), moment);
  return "other";
}

/** A message with missing segments is never sent, and its reserved price is released. */
function eraseSegments({ smppAssemblies, smppSubmits, ledger }: Tables, id: number): void {
  const assembly = smppAssemblies.byId(id);
  if (assembly?.state === 0) {
    for (const { submitId, price } of smppAssemblies.segments(id)) {
      if (price > 0) ledger.release(assembly.accountId, price);
      smppSubmits.end(submitId, deletedState);
    }
    smppAssemblies.end(assembly, "incomplete");
  }
  smppAssemblies.remove(id);
}

/** SMPP 3.4 §5.2.28 */
const deletedState = 4;

function eraseMessage(tables: Tables, message: MessageRow | null, moment: Moment): Outcome {
  const ended = message === null ? null : withdrawn(tables, message, moment);
  if (ended === null) return "busy";
  tables.recipientData.eraseMessage(ended, moment.at);
  tables.searchIndex.erased();
  return "message";
}

/** The message once nothing will hand it over any more; null while a route has it. */
function withdrawn({ messages }: Tables, message: MessageRow, { at, isIdle }: Moment): MessageRow | null {
  const { state, uncertainAttempts } = message;
  if (isFinal(state) || state === "submitted") return message;
  if (isCancellable(state)) return messages.move(message, { to: "cancelled", at });
  if (state === "submitting" && !isIdle) return null;
  const attempts = uncertainAttempts + (state === "submitting" ? 1 : 0);
  return messages.move(message, {
    to: "failed",
    at,
    uncertainAttempts: attempts,
    errorCode: errorAfter(attempts, "blocked"),
  });
}

/** Fields in which an operator writes about the subject of the entry. */
const noteFields = ["detail", "note"];

/**
 * Removes the number wherever it occurs, in any format. An entry about the number itself, such as a suppression, also
 * loses its notes.
 */
export function withoutRecipient(e164: string): (entry: AuditTexts) => AuditTexts {
  const change = withoutNumber(e164);
  return ({ id, target, before, after }) => {
    const named = change(target);
    // Includes an entry that an earlier erasure changed but whose notes it left.
    const isAbout = named.includes(erasedMark);
    const stateOf = (text: string | null) => {
      if (text === null) return null;
      return isAbout ? withoutNotes(change(text)) : change(text);
    };
    return { id, target: named, before: stateOf(before), after: stateOf(after) };
  };
}

function withoutNotes(text: string): string {
  const state: unknown = JSON.parse(text);
  if (typeof state !== "object" || state === null) return text;
  const isNote = ([field, value]: [string, unknown]) =>
    noteFields.includes(field) && typeof value === "string" && value !== "";
  const entries = Object.entries(state).map((entry) => (isNote(entry) ? [entry[0], erasedMark] : entry));
  return JSON.stringify(Object.fromEntries(entries));
}
