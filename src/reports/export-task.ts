/** A page of an export: a search whose messages are written as CSV. */
import type { Reader } from "../store/reader.ts";
import { messageCsvLine } from "./message-csv.ts";
import type { ExportPage, ExportRequest } from "./protocol.ts";
import type { ReadTask } from "./read-task.ts";
import { SearchTask } from "./search-task.ts";

/** 400 KB of text, which the serving thread reads in half a millisecond. */
const limit = 2_000;
/** Where few match, a page ends early: whoever reads the export is told that it goes on. */
const workMs = 2_000;

export class ExportTask implements ReadTask<ExportPage> {
  readonly #search: SearchTask;
  readonly #routeNames: ExportRequest["routeNames"];

  constructor(reader: Reader, { filter, before, routeNames }: ExportRequest, monotonic: () => number) {
    this.#search = new SearchTask(reader, { filter, before, limit, workMs }, monotonic);
    this.#routeNames = routeNames;
  }

  step(): ExportPage | null {
    const page = this.#search.step();
    if (page === null) return null;
    const lines = page.messages.map((message) => messageCsvLine(message, this.#routeNames)).join("");
    return { lines, continueBefore: page.continueBefore };
  }
}
