/** Counts the messages accepted since then that a search would find. */
import type { Reader } from "../store/reader.ts";
import type { NewerMessages, NewerRequest } from "./protocol.ts";
import type { ReadTask } from "./read-task.ts";
import { SearchTask } from "./search-task.ts";

export class NewerTask implements ReadTask<NewerMessages> {
  readonly #reader: Reader;
  readonly #search: SearchTask | null;

  constructor(reader: Reader, { after, ...request }: NewerRequest, monotonic: () => number) {
    this.#reader = reader;
    this.#search = after === null ? null : new SearchTask(reader, { ...request, before: null, after }, monotonic);
  }

  step(): NewerMessages | null {
    const newest = this.#reader.messages.newest();
    if (this.#search === null) return { count: 0, newest };
    const page = this.#search.step();
    return page === null ? null : { count: page.messages.length, newest };
  }
}
