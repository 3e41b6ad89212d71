/** A page of an export: a search whose messages are formatted as CSV. */
import type { FoundMessage } from "../store/message-search.ts";
import type { Reader } from "../store/reader.ts";
import { messageCsvLines } from "./message-csv.ts";
import type { ExportPage, ExportRequest } from "./protocol.ts";
import type { ReadTask } from "./read-task.ts";
import { SearchTask } from "./search-task.ts";

/** 400 KB of text, which the serving thread reads in half a millisecond. */
const limit = 2_000;
/** If few messages match, a page ends early, so that the reader of the export sees progress. */
const workMs = 2_000;

export class ExportTask implements ReadTask<ExportPage> {
  readonly #search: SearchTask;
  readonly #lineOf: (message: FoundMessage) => string;

  constructor(reader: Reader, { filter, before, writing }: ExportRequest, monotonic: () => number) {
    this.#search = new SearchTask(reader, { filter, before, limit, workMs }, monotonic);
    this.#lineOf = messageCsvLines(writing);
  }

  step(): ExportPage | null {
    const page = this.#search.step();
    if (page === null) return null;
    const lines = page.messages.map(this.#lineOf).join("");
    return { lines, continueBefore: page.continueBefore };
  }
}
