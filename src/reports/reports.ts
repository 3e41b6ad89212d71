/** Searches, figures and exports for whoever asks: the serving thread is not held by them. */
import type { MessageFilter } from "../store/message-search.ts";
import { messageCsvHead } from "./message-csv.ts";
import type { ExportPage, ExportWriting, FiguresRequest, FiguresRow, NewerMessages, SearchPage } from "./protocol.ts";
import type { ReadThread } from "./read-thread.ts";

/** A search that takes longer answers early and says from where to go on. */
const searchMsMax = 2_000;

export class Reports {
  readonly #thread: ReadThread;

  constructor(thread: ReadThread) {
    this.#thread = thread;
  }

  /** Newest first. Gives what it found within its time, which may be nothing yet. */
  search(filter: MessageFilter, before: number | null, limit: number, signal?: AbortSignal): Promise<SearchPage> {
    return this.#thread.ask("search", { filter, before, limit, workMs: searchMsMax }, signal);
  }

  /** Of the messages with a higher id than `after`, as many as it finds within a twentieth of a search's time. */
  newer(filter: MessageFilter, after: number | null, limit: number, signal?: AbortSignal): Promise<NewerMessages> {
    return this.#thread.ask("newer", { filter, after, limit, workMs: searchMsMax / 20 }, signal);
  }

  /** In the order of time, and within a period in no order. */
  figures(request: FiguresRequest, signal?: AbortSignal): Promise<FiguresRow[]> {
    return this.#thread.ask("figures", request, signal);
  }

  /**
   * Everything that matches as CSV (RFC 4180), the newest first, a page at a time: the next one is read when it is asked for.
   * The reading thread writes the lines, so that the serving thread only hands them on.
   */
  async *export(filter: MessageFilter, writing: ExportWriting, signal?: AbortSignal): AsyncGenerator<string> {
    yield messageCsvHead(writing);
    for (let before: number | null = null; ; ) {
      const page: ExportPage = await this.#thread.ask("export", { filter, before, writing }, signal);
      if (page.lines !== "") yield page.lines;
      before = page.continueBefore;
      if (before === null) return;
    }
  }
}
