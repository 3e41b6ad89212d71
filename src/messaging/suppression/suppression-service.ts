/** Operator actions on the lists of numbers that must not receive messages. */

import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { parseMobileNumber } from "../../domain/phone-number.ts";
import { everyAccount, suppressedNumber } from "../../domain/suppression.ts";
import type { Logger } from "../../platform/log.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Tables } from "../../store/store.ts";
import type { SuppressionEntry } from "../../store/suppression.ts";
import { everyLine, type FileReading } from "../groups/wrong-lines.ts";
import {
  discardImport,
  importNumbers,
  type NumbersImportDeps,
  type NumbersImported,
  type NumbersObserver,
} from "./import-numbers.ts";

export interface SuppressionDeps extends NumbersImportDeps {
  log: Logger;
}

/** Entries per slice of an export: some milliseconds to read. */
const sliceEntries = 1_000;

/** `accountId`: 0 is the list of all accounts. Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class SuppressionService {
  #isImporting = false;
  #discarding: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SuppressionDeps) {}

  /** Changes nothing if the number is already on the list. */
  add(accountId: number, mobile: string, note: string): Promise<SuppressionEntry> {
    const recipient = this.#numberOf(mobile);
    const addedAt = this.deps.clock.now();
    return this.deps.store.write((tables) => {
      assertList(tables, accountId);
      tables.suppression.add({ accountId, source: "operator", detail: note, addedAt }, recipient);
      return present(tables, accountId, recipient);
    });
  }

  remove(accountId: number, mobile: string): Promise<SuppressionEntry> {
    const recipient = this.#numberOf(mobile);
    return this.deps.store.write((tables) => {
      assertList(tables, accountId);
      const removed = tables.suppression.remove(accountId, recipient);
      if (removed === null) throw new OperatorError("suppression_not_found");
      return removed;
    });
  }

  /** The number's entry on the list, for the audit; null if there is none or the text is not a number. */
  inList(accountId: number, mobile: string): SuppressionEntry | null {
    const recipient = suppressedNumber(this.#parse(mobile) ?? "");
    return recipient === null ? null : this.deps.store.tables.suppression.inList(accountId, recipient);
  }

  /** The number's entries on all lists. */
  show(mobile: string): SuppressionEntry[] {
    const recipient = this.#numberOf(mobile);
    const { suppression } = this.deps.store.tables;
    return suppression.allLists().flatMap((list) => suppression.inList(list, recipient) ?? []);
  }

  /** Sorted by number. `after`: E.164 without its plus, 0 for the start. */
  list(accountId: number, after: number, limit: number): SuppressionEntry[] {
    assertList(this.deps.store.tables, accountId);
    return this.deps.store.tables.suppression.page(accountId, after, limit);
  }

  /** List by list, each sorted by number, starting after the entry of this list and number. */
  listAll({ accountId, recipient }: { accountId: number; recipient: number }, limit: number): SuppressionEntry[] {
    return this.deps.store.tables.suppression.pageOfAll(accountId, recipient, limit);
  }

  /** All entries of a list, in slices that let other work in between. */
  all(accountId: number): AsyncGenerator<SuppressionEntry[]> {
    assertList(this.deps.store.tables, accountId);
    return this.#slices(accountId);
  }

  async *#slices(accountId: number): AsyncGenerator<SuppressionEntry[]> {
    for (let after = 0; ; ) {
      const slice = this.list(accountId, after, sliceEntries);
      if (slice.length > 0) yield slice;
      if (slice.length < sliceEntries) return;
      after = slice.at(-1)?.recipient ?? 0;
      await nextTurn();
    }
  }

  /**
   * Adds the numbers of a CSV file, all at once. Null if the file has more wrong lines than may be left out: the
   * observer has been told, and the list is unchanged.
   */
  async import(
    accountId: number,
    name: string,
    source: AsyncIterable<Uint8Array>,
    observer: NumbersObserver,
    reading: FileReading = everyLine,
  ): Promise<NumbersImported | null> {
    assertList(this.deps.store.tables, accountId);
    if (this.#isImporting) throw new OperatorError("suppression_import_running");
    this.#isImporting = true;
    try {
      await this.#discarding;
      return await importNumbers(this.deps, { accountId, name, ...reading }, source, observer);
    } finally {
      this.#isImporting = false;
      this.tidy();
    }
  }

  /** Removes what imports left that were ended by a crash or a wrong line; their numbers never took effect. */
  tidy(): void {
    const { store, log } = this.deps;
    const failed = (reason: unknown) => log.error({ err: reason }, "numbers of an import that failed stay on disk");
    this.#discarding = this.#discarding
      .then(async () => {
        if (this.#isImporting) return;
        for (const left of store.tables.suppression.pending()) await discardImport(store, left);
      })
      .catch(failed);
  }

  settled(): Promise<void> {
    return this.#discarding;
  }

  #parse(mobile: string): string | null {
    return parseMobileNumber(mobile, this.deps.defaultRegion, this.deps.numbers);
  }

  #numberOf(mobile: string): number {
    const number = suppressedNumber(this.#parse(mobile) ?? "");
    if (number === null) throw invalidRequest([problemOf("number", "number_not_mobile", { value: mobile })]);
    return number;
  }
}

function assertList(tables: Tables, accountId: number): void {
  if (accountId !== everyAccount && tables.accounts.byId(accountId) === null) {
    throw new OperatorError("account_not_found");
  }
}

function present(tables: Tables, accountId: number, recipient: number): SuppressionEntry {
  const entry = tables.suppression.inList(accountId, recipient);
  if (entry === null) throw new Error(`+${recipient} was put on a list and is not there`);
  return entry;
}
