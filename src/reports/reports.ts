/** Searches, figures and exports for whoever asks: the serving thread is not held by them. */
import type { FoundMessage, MessageFilter } from "../store/message-search.ts";
import type { FiguresRequest, FiguresRow, SearchPage } from "./protocol.ts";
import type { ReadThread } from "./read-thread.ts";

/** A search that takes longer answers early and says from where to go on. */
const searchMsMax = 2_000;
/** Messages of a page of an export: two milliseconds of the serving thread. */
const exportPageMessages = 500;

export class Reports {
  readonly #thread: ReadThread;

  constructor(thread: ReadThread) {
    this.#thread = thread;
  }

  /** Newest first. Gives what it found within its time, which may be nothing yet. */
  search(filter: MessageFilter, before: number | null, limit: number, signal?: AbortSignal): Promise<SearchPage> {
    return this.#thread.ask("search", { filter, before, limit, workMs: searchMsMax }, signal);
  }

  /** In the order of time, and within a period in no order. */
  figures(request: FiguresRequest, signal?: AbortSignal): Promise<FiguresRow[]> {
    return this.#thread.ask("figures", request, signal);
  }

  /** Everything that matches, page by page, the newest first. The next page is read when it is asked for. */
  async *export(filter: MessageFilter, signal?: AbortSignal): AsyncGenerator<FoundMessage[]> {
    for (let before: number | null = null; ; ) {
      const page: SearchPage = await this.search(filter, before, exportPageMessages, signal);
      if (page.messages.length > 0) yield page.messages;
      before = page.continueBefore;
      if (before === null) return;
    }
  }
}
