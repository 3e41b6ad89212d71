/** Reads the search index: which messages of a run may have a key. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import { searchPage, searchRun } from "./schema.ts";
import { type KeyRange, runIds } from "./search-keys.ts";

const runColumns = columnsOf(searchRun);
export type SearchRun = RowOf<typeof runColumns>;

const pageColumns = columnsOf(searchPage, "id", "entries");

const prepare = (database: Database) => ({
  mergedTo: database.prepare<{ id: number }, []>("SELECT merged_to AS id FROM search_state"),
  runBefore: database.prepare<SearchRun, [number]>(
    `SELECT ${runColumns} FROM search_run WHERE first_message_id < ? ORDER BY first_message_id DESC LIMIT 1`,
  ),
  // The page before the first one that begins in the range may end in it.
  pages: database.prepare<RowOf<typeof pageColumns>, [number, string, number, number]>(
    `SELECT ${pageColumns} FROM search_page
     WHERE run_id = ?1 AND kind = ?2 AND first_entry < ?4 AND first_entry >= coalesce((
       SELECT max(first_entry) FROM search_page WHERE run_id = ?1 AND kind = ?2 AND first_entry < ?3), ?3)
     ORDER BY first_entry`,
  ),
});

export class SearchLookup {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Messages up to this id are in runs; later ones are not. */
  mergedTo(): number {
    return this.#sql.mergedTo.get()?.id ?? 0;
  }

  /** The newest run that holds messages with ids below `messageId`. */
  runBefore(messageId: number): SearchRun | null {
    return this.#sql.runBefore.get(messageId);
  }

  /** Ids of the run's messages whose key is in the range, newest first. Some may be gone or have another number. */
  messageIds(run: SearchRun, { kind, low, high }: KeyRange): number[] {
    const first = low * runIds;
    const end = high * runIds;
    const ids: number[] = [];
    for (const { entries } of this.#sql.pages.all(run.id, kind, first, end)) {
      // Copied, because a Float64Array needs an aligned address.
      for (const entry of new Float64Array(entries.slice().buffer)) {
        if (entry >= first && entry < end) ids.push(run.firstMessageId + (entry % runIds));
      }
    }
    return ids.sort((a, b) => b - a);
  }
}
