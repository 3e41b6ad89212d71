/** Searches, figures and exports, without blocking the serving thread. */
import type { CampaignCount } from "../store/campaign-reader.ts";
import type { MessageFilter } from "../store/message-search.ts";
import { messageCsvHead } from "./message-csv.ts";
import type {
  ExportPage,
  ExportWriting,
  FiguresRequest,
  FiguresRow,
  HoursRequest,
  HoursRow,
  NewerMessages,
  NewerRequest,
  SearchPage,
} from "./protocol.ts";
import type { ReadThread } from "./read-thread.ts";

/** A search that takes longer answers early and says where to continue from. */
const searchMsMax = 2_000;

type NewerCount = Pick<NewerRequest, "after" | "limit" | "shown">;

export class Reports {
  constructor(private readonly thread: ReadThread) {}

  /** Newest first. Returns what it found within its time, possibly nothing yet. */
  search(filter: MessageFilter, before: number | null, limit: number, signal?: AbortSignal): Promise<SearchPage> {
    return this.thread.ask("search", { filter, before, limit, workMs: searchMsMax }, signal);
  }

  /** Counts messages with a higher id than `after`, as far as it gets within a twentieth of a search's time. */
  newer(filter: MessageFilter, count: NewerCount, signal?: AbortSignal): Promise<NewerMessages> {
    return this.thread.ask("newer", { filter, ...count, workMs: searchMsMax / 20 }, signal);
  }

  /** Outcomes of a campaign's messages. A million take about a second. */
  campaign(campaignId: number, signal?: AbortSignal): Promise<CampaignCount> {
    return this.thread.ask("campaign", { campaignId }, signal);
  }

  /** Sorted by time; within a period in no particular order. */
  figures(request: FiguresRequest, signal?: AbortSignal): Promise<FiguresRow[]> {
    return this.thread.ask("figures", request, signal);
  }

  /** Accounts or routes that had messages, in no particular order. */
  hours(request: HoursRequest, signal?: AbortSignal): Promise<HoursRow[]> {
    return this.thread.ask("hours", request, signal);
  }

  /**
   * Everything that matches as CSV (RFC 4180), newest first, page by page: the next page is read on demand. The reader
   * thread writes the lines, so that the serving thread only passes them on.
   */
  async *export(filter: MessageFilter, writing: ExportWriting, signal?: AbortSignal): AsyncGenerator<string> {
    yield messageCsvHead(writing);
    for (let before: number | null = null; ; ) {
      const page: ExportPage = await this.thread.ask("export", { filter, before, writing }, signal);
      if (page.lines !== "") yield page.lines;
      before = page.continueBefore;
      if (before === null) return;
    }
  }
}
