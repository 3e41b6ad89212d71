/**
 * Turns receipts into statuses: matched by the id that the route gave the part, committed, and only then acknowledged.
 */

import { isDeepStrictEqual } from "node:util";
import { receiptCode } from "../domain/carrier-refusal.ts";
import { lateAfterMs } from "../domain/delivery-failover.ts";
import { type MessageErrorCode, messageClasses } from "../domain/message.ts";
import { mayBeSameSubscriber, numberEndsOf, withoutZeros } from "../domain/provider-id.ts";
import { isFinal } from "../domain/status.ts";
import { inNextTurn } from "../platform/next-turn.ts";
import type { Receipt } from "../providers/provider.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import { isDecided, type PartRow, type ReceiptState } from "../store/parts.ts";
import type { Store, Tables } from "../store/store.ts";
import type { TimelineEntry } from "../store/timeline.ts";

interface WaitingReceipt {
  routeId: number;
  receipt: Receipt;
  stored(effect: ReceiptEffect): void;
  refused(reason: unknown): void;
}

/**
 * Stores the receipts of one turn of the event loop together, after the answers of the same turn. A carrier's packet
 * contains answers and the receipts of the same messages. An answer passes through promises before its write is
 * submitted, a receipt does not: stored at once, each receipt would precede its own answer, wait as an orphan and be
 * joined later, which cost a seventh of all the work.
 */
export class ReceiptIntake {
  #waiting: WaitingReceipt[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: { now(): number },
  ) {}

  /** Resolves once the receipt is on disk; only then may it be acknowledged. Rejects with StoreUnavailable. */
  take(routeId: number, receipt: Receipt): Promise<ReceiptEffect> {
    return new Promise((stored, refused) => {
      this.#waiting.push({ routeId, receipt, stored, refused });
      if (this.#waiting.length > 1) return;
      inNextTurn(() => {
        const group = this.#waiting;
        this.#waiting = [];
        void this.#storeAll(group);
      });
    });
  }

  async #storeAll(group: readonly WaitingReceipt[]): Promise<void> {
    try {
      const now = this.clock.now();
      const effects = await this.store.write((tables) =>
        group.map(({ routeId, receipt }) => takeReceipt(tables, routeId, receipt, now)),
      );
      for (const [index, effect] of effects.entries()) group[index]?.stored(effect);
    } catch (reason) {
      if (group.length === 1 || reason instanceof StoreUnavailable) for (const { refused } of group) refused(reason);
      // One of them cannot be stored; the others must still succeed.
      else for (const one of group) void this.#storeAll([one]);
    }
  }
}

/** The content of a receipt for one part. */
interface PartReport {
  state: ReceiptState;
  error: MessageErrorCode | null;
  /** In the carrier's words: the state and any further details. */
  detail: string;
  remark: string;
}

const wordsOf = ({ detail, remark }: Pick<PartReport, "detail" | "remark">) => `${detail} ${remark}`.trim();

/** `late`: applied, long after the carrier took the message. */
export type ReceiptEffect = "applied" | "late" | "repeated" | "orphaned";

/** Applies a report to its part and, if that decides it, to the message. A decided part stays decided. */
function applyReport(tables: Tables, part: PartRow, report: PartReport, routeId: number, at: number): ReceiptEffect {
  const message = tables.messages.byId(part.messageId);
  if (message === null || isDecided(part)) return "repeated";
  const isOnlyPart = message.partCount === 1;
  if (isOnlyPart && isFinal(message.state)) return "repeated";
  // The receipt of a single-part message is its state: one write less for nearly every message.
  const isInState = isOnlyPart && message.state === "submitted" && report.state !== "pending";
  if (!isInState && part.receipt !== report.state) tables.parts.setReceipt(part, report.state);
  const reason = {
    code: "receipt",
    part: part.number,
    words: isSecret(message) ? report.detail : wordsOf(report),
  } as const;
  if (report.state === "pending") {
    tellIntermediate(tables, message.id, { at, kind: "receipt_intermediate", routeId, reason });
    return "applied";
  }
  if (report.state === "failed") {
    tables.timeline.add(message.id, { at, kind: "receipt_failed", routeId, reason });
    if (message.isTest === 0) tables.refusals.add(routeId, "receipt", codeOf(report), at);
  }
  if (message.state === "submitted") decide(tables, message, report, at);
  return at - (message.sentAt ?? at) > lateAfterMs ? "late" : "applied";
}

/** A receipt that arrived before its submit's answer is kept as a whole, which may include a text. */
const codeOf = ({ detail, remark }: PartReport) =>
  receiptCode(detail === "" ? (remark.split(" ", 1)[0] ?? "") : detail);

/** A carrier may report every internal step, repeatedly. */
const intermediateMax = 10;

function tellIntermediate(tables: Tables, messageId: number, entry: TimelineEntry): void {
  const told = tables.timeline.ofMessage(messageId).filter(({ kind }) => kind === entry.kind);
  const isRepeat = told.some(({ reason }) => isDeepStrictEqual(reason, entry.reason));
  if (!isRepeat && told.length < intermediateMax) tables.timeline.add(messageId, entry);
}

/** A carrier may echo the text of a one-time password. */
const isSecret = (message: MessageRow) => message.class === messageClasses.otp;

/** A message is delivered when all its parts with an id are, and failed as soon as one is. */
function decide(tables: Tables, message: MessageRow, report: PartReport, at: number): void {
  if (report.state === "failed") {
    tables.messages.move(message, { to: "failed", at, errorCode: report.error ?? "undeliverable" });
  } else if (message.partCount === 1 || isWhole(tables, message)) {
    tables.messages.move(message, { to: "delivered", at, partsDelivered: message.partCount });
  }
}

/**
 * The route determines how many ids a long message has: one per part, one for the whole message (`payload`, most HTTP
 * providers), or, if headers take more room, one more than `partCount`.
 */
function isWhole(tables: Tables, message: MessageRow): boolean {
  const { tracked, delivered } = tables.parts.countsOf(message.id);
  if (delivered < tracked) tables.messages.setPartsDelivered(message.id, Math.min(delivered, message.partCount));
  return delivered >= tracked;
}

/** Applies a receipt to its part, or keeps it until the answer to the submit brings the part's id. */
function takeReceipt(tables: Tables, routeId: number, receipt: Receipt, now: number): ReceiptEffect {
  const { state, error = null, detail, remark = "", at, anyWidth = false } = receipt;
  if (receipt.eventId !== undefined && isRepeatedEvent(tables, routeId, receipt.eventId, now)) return "repeated";
  const report: PartReport = { state, error, detail, remark };
  const part = partOf(tables, routeId, receipt);
  if (part !== null) {
    if (receipt.partCount !== undefined) countAnew(tables, part.messageId, receipt.partCount, now);
    const effect = applyReport(tables, part, report, routeId, now);
    // A carrier that gives an id again may report before it answers: the message that had it before takes nothing more.
    if (effect !== "repeated" || !isOfAnother(tables, part, receipt.numbers)) return effect;
  }
  // It is not yet known which spelling the submit answer will use. A guess might be the id of a later message.
  const providerIds = distinctIds(receipt.ids.slice(0, receipt.certain), anyWidth);
  const of = { routeId, providerIds, anyWidth, numberEnds: numberEndsOf(receipt.numbers ?? []) };
  const orphan = { ...of, state, errorCode: error, detail: wordsOf(report), at };
  tables.orphanReceipts.insert(orphan, now);
  return "orphaned";
}

/** The part that a receipt is about; null if no answer with such an id is stored. */
function partOf(tables: Tables, routeId: number, receipt: Receipt): PartRow | null {
  const { ids, certain = ids.length, anyWidth = false, numbers = [] } = receipt;
  const under = (id: string) => tables.parts.byProviderId(routeId, id, anyWidth);
  if (certain < ids.length) {
    for (const id of ids) {
      const named = under(id).find((part) => isOfNamed(tables, part, numbers));
      if (named !== undefined) return named;
    }
  }
  for (const id of ids.slice(0, certain)) {
    const part = partMeant(tables, under(id), numbers);
    if (part !== null) return part;
  }
  return null;
}

/** The provider split the message differently; the parts it has may all be delivered. */
function countAnew(tables: Tables, messageId: number, partCount: number, at: number): void {
  tables.parts.resize(messageId, partCount);
  const message = tables.messages.byId(messageId);
  if (message?.state !== "submitted" || message.partCount === 1 || !isWhole(tables, message)) return;
  tables.messages.move(message, { to: "delivered", at, partsDelivered: message.partCount });
}

/** Longer than a provider retries a report. */
const eventsRememberedMs = 4 * 24 * 3_600_000;

/** A report that says nothing about its part counts only once, however often it arrives. */
function isRepeatedEvent(tables: Tables, routeId: number, eventId: string, now: number): boolean {
  const fingerprint = new Bun.CryptoHasher("sha256").update(`receipt ${routeId} ${eventId}`).digest();
  if (tables.inboundRepeats.isKnown(fingerprint, now)) return true;
  tables.inboundRepeats.remember(fingerprint, now + eventsRememberedMs);
  return false;
}

/**
 * Of the parts under a receipt's id, likeliest first: if they belong to several messages, the numbers in the receipt
 * decide.
 */
function partMeant(tables: Tables, parts: readonly PartRow[], numbers: readonly string[]): PartRow | null {
  const [likeliest = null] = parts;
  if (numbers.length === 0 || parts.every(({ messageId }) => messageId === likeliest?.messageId)) return likeliest;
  return parts.find((part) => isOfNamed(tables, part, numbers)) ?? likeliest;
}

/** True if a receipt with these numbers names the recipient of the part's message. */
function isOfNamed(tables: Tables, { messageId }: PartRow, numbers: readonly string[]): boolean {
  const recipient = tables.messages.byId(messageId)?.recipient;
  return recipient !== undefined && numbers.some((number) => mayBeSameSubscriber(number, recipient));
}

/** True if a receipt with these numbers is surely about another message. */
function isOfAnother(tables: Tables, part: PartRow, numbers: readonly string[] = []): boolean {
  return numbers.length > 0 && tables.messages.byId(part.messageId) !== null && !isOfNamed(tables, part, numbers);
}

function distinctIds(ids: readonly string[], anyWidth: boolean): string[] {
  if (!anyWidth) return [...new Set(ids)];
  const numbers = ids.map(withoutZeros);
  return ids.filter((_, index) => numbers.indexOf(numbers[index] ?? "") === index);
}

/** Stores the ids from the answer to a submit, then joins the receipts that arrived earlier. */
export function storeParts(
  tables: Tables,
  message: MessageRow,
  partIds: readonly (string | null)[],
  { routeId, firstQueryAt, now }: { routeId: number; firstQueryAt: number | null; now: number },
): void {
  if (firstQueryAt !== null) {
    tables.awaitedReceipts.insert({ routeId, dueAt: firstQueryAt, messageId: message.id, asked: 0 });
  }
  for (const [index, providerId] of partIds.entries()) {
    if (providerId !== null) tables.parts.insert(message.id, index + 1, routeId, providerId);
  }
  for (const providerId of partIds) {
    if (providerId !== null) joinOrphans(tables, message, { routeId, providerId, now });
  }
}

function joinOrphans(
  tables: Tables,
  message: MessageRow,
  { routeId, providerId, now }: { routeId: number; providerId: string; now: number },
): void {
  for (const orphan of tables.orphanReceipts.take(routeId, providerId, message)) {
    // Another message may have the id as well, and be newer.
    const part = tables.parts
      .byProviderId(routeId, providerId, false)
      .find(({ messageId }) => messageId === message.id);
    // Where the state ends and the remark begins was not stored.
    const report = { state: orphan.state, error: orphan.errorCode, detail: "", remark: orphan.detail };
    if (part !== undefined) applyReport(tables, part, report, routeId, now);
  }
}
