/**
 * Writes the search index, in runs. A message's number and reference are random, so an index updated per message
 * touches a page each time: measured, 30 µs at 0.4 million. Instead, a run of 32,768 messages is read back from the
 * table while still in memory, sorted, and written once in pages of 500 entries; it is removed as a whole when its
 * messages are gone. A search reads one or two pages of each run: 306 runs at ten million messages. In total a message
 * costs 0.4 µs.
 */
import type { Database } from "bun:sqlite";
import { insertInto } from "./columns.ts";
import type { HiddenRuns } from "./hidden-runs.ts";
import { searchPage, searchRun } from "./schema.ts";
import { recipientKey, referenceKey, runIds, type SearchKind } from "./search-keys.ts";

/** With the page's other columns, exactly what a 4 KiB leaf holds. */
const pageEntries = 500;

type Indexed = [id: number, lastDigits: number, reference: string | null, submittedAt: number, isTest: 0 | 1];

const prepare = (database: Database) => ({
  mergedTo: database.prepare<{ id: number }, []>("SELECT merged_to AS id FROM search_state"),
  setMergedTo: database.prepare("UPDATE search_state SET merged_to = ?"),
  lowerMergedTo: database.prepare(
    "UPDATE search_state SET merged_to = min(merged_to, (SELECT coalesce(max(id), 0) FROM message))",
  ),
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM message"),
  messages: database.prepare<Indexed, [number, number]>(
    `SELECT id, CAST(substr(recipient, -11) AS INTEGER), client_reference, submitted_at, is_test
     FROM message WHERE id > ? AND id <= ? ORDER BY id`,
  ),
  insertRun: database.prepare(insertInto(searchRun, "firstMessageId", "lastMessageId", "firstAt", "lastAt")),
  insertPage: database.prepare(insertInto(searchPage, "runId", "kind", "firstEntry", "entries")),
  oldestEmpty: database.prepare<{ id: number }, []>(
    `SELECT id FROM search_run WHERE NOT EXISTS (
       SELECT 1 FROM message WHERE message.id BETWEEN first_message_id AND last_message_id) LIMIT 1`,
  ),
  // The next messages reuse the ids of those removed, so the run's times no longer describe them.
  forgetTimes: database.prepare(
    `UPDATE search_run SET first_at = NULL, last_at = NULL
     WHERE first_at IS NOT NULL AND last_message_id > (SELECT coalesce(max(id), 0) FROM message)`,
  ),
  removePages: database.prepare("DELETE FROM search_page WHERE run_id = ?"),
  removeRun: database.prepare("DELETE FROM search_run WHERE id = ?"),
});

/** A run while it is being read. */
export class GrowingRun {
  readonly firstId: number;
  readonly #entries: Record<SearchKind, Float64Array> = {
    recipient: new Float64Array(runIds),
    reference: new Float64Array(runIds),
  };
  readonly #counts: Record<SearchKind, number> = { recipient: 0, reference: 0 };
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #hasTests = false;
  /** Messages up to this id have been read. */
  readTo: number;
  /** The number of erasures when the run was begun. */
  readonly erasures: number;

  constructor(afterId: number, erasures: number) {
    this.firstId = afterId + 1;
    this.readTo = afterId;
    this.erasures = erasures;
  }

  get lastId(): number {
    return this.firstId + runIds - 1;
  }

  add(kind: SearchKind, key: number, messageId: number): void {
    this.#entries[kind][this.#counts[kind]] = key * runIds + (messageId - this.firstId);
    this.#counts[kind] += 1;
  }

  /** Adds an acceptance time. Figures do not count tests. */
  addTime(submittedAt: number, isTest: boolean): void {
    if (submittedAt < this.#firstAt) this.#firstAt = submittedAt;
    if (submittedAt > this.#lastAt) this.#lastAt = submittedAt;
    if (isTest) this.#hasTests = true;
  }

  /** The columns of `search_run`. */
  times(): Pick<typeof searchRun.$inferSelect, "firstAt" | "lastAt"> {
    const isKnown = !this.#hasTests && this.#firstAt <= this.#lastAt;
    return isKnown ? { firstAt: this.#firstAt, lastAt: this.#lastAt } : { firstAt: null, lastAt: null };
  }

  sorted(kind: SearchKind): Float64Array {
    return this.#entries[kind].subarray(0, this.#counts[kind]).sort();
  }
}

export class SearchIndexTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #hidden: HiddenRuns;
  #erasures = 0;
  /** The last id of the run begun last. */
  #growingTo = 0;

  constructor(database: Database, hidden: HiddenRuns) {
    this.#sql = prepare(database);
    this.#hidden = hidden;
  }

  /** The next run if all its messages exist; null if they do not yet. */
  nextRun(): GrowingRun | null {
    const mergedTo = this.#mergedTo();
    // Messages of a run that is being stored arrive after their ids are reserved.
    const firstHidden = Math.min(...this.#hidden.ranges().map(({ firstId }) => firstId));
    if (Math.min(this.#newest(), firstHidden - 1) < mergedTo + runIds) return null;
    const run = new GrowingRun(mergedTo, this.#erasures);
    this.#growingTo = run.lastId;
    return run;
  }

  /** Reads the messages of the run's next `count` ids; false once all are read. */
  read(run: GrowingRun, count: number): boolean {
    const to = Math.min(run.readTo + count, run.lastId);
    for (const [id, lastDigits, reference, submittedAt, isTest] of this.#sql.messages.values(
      run.readTo,
      to,
    ) as Indexed[]) {
      run.addTime(submittedAt, isTest === 1);
      run.add("recipient", recipientKey(lastDigits), id);
      if (reference !== null) run.add("reference", referenceKey(reference), id);
    }
    run.readTo = to;
    return to < run.lastId;
  }

  /** Messages were erased; a run that is being read may contain them. */
  erased(): void {
    this.#erasures += 1;
  }

  /** Stores a fully read run, unless something was erased meanwhile: then it is read again. */
  insert(run: GrowingRun): void {
    if (run.erasures !== this.#erasures) return;
    const { firstAt, lastAt } = run.times();
    const runId = Number(this.#sql.insertRun.run(run.firstId, run.lastId, firstAt, lastAt).lastInsertRowid);
    for (const kind of ["recipient", "reference"] as const) {
      const entries = run.sorted(kind);
      for (let start = 0; start < entries.length; start += pageEntries) {
        const page = entries.slice(start, start + pageEntries);
        this.#sql.insertPage.run(runId, kind, page[0] ?? 0, new Uint8Array(page.buffer));
      }
    }
    this.#sql.setMergedTo.run(run.lastId);
  }

  /** From 0 to 1: the share of messages in runs; the newest, which are scanned, count as if they were. */
  share(): number {
    const newest = this.#newest();
    const mergedTo = this.#mergedTo();
    return newest - mergedTo < 2 * runIds ? 1 : mergedTo / newest;
  }

  /** Call after messages were removed, in the same transaction: new messages may reuse their ids. */
  removed(): void {
    this.#sql.lowerMergedTo.run();
    this.#sql.forgetTimes.run();
    if (this.#newest() < this.#growingTo) this.#erasures += 1;
  }

  /** Removes a run with no messages left; false if there is none. */
  removeEmptyRun(): boolean {
    const run = this.#sql.oldestEmpty.get();
    if (run === null) return false;
    this.#sql.removePages.run(run.id);
    this.#sql.removeRun.run(run.id);
    return true;
  }

  #mergedTo(): number {
    return this.#sql.mergedTo.get()?.id ?? 0;
  }

  #newest(): number {
    return this.#sql.newest.get()?.id ?? 0;
  }
}
