/**
 * Searches messages from the newest back: through the index if a number or a reference is given, otherwise by scanning.
 */
import { publicStatusOf } from "../domain/status.ts";
import type { FoundMessage, MessageFilter } from "../store/message-search.ts";
import type { Reader } from "../store/reader.ts";
import { slotOf } from "../store/rollup-counts.ts";
import type { RollupFilter } from "../store/rollup-reader.ts";
import { type KeyRange, recipientRange, referenceRange } from "../store/search-keys.ts";
import type { SearchRun } from "../store/search-lookup.ts";
import { messageCsvLines } from "./message-csv.ts";
import type {
  ExportPage,
  ExportRequest,
  NewerMessages,
  NewerRequest,
  ReadTask,
  SearchPage,
  SearchRequest,
} from "./protocol.ts";

/** A scanning step reads as many rows as take about this long. */
const stepMs = 3;
const stepRowsMin = 500;
const stepRowsMax = 50_000;
/** Messages from the index that a step reads. */
const stepCandidates = 250;
/**
 * Runs that a step examines: most have a few messages with the same last digits, which are read together in one
 * statement.
 */
const stepRuns = 32;
/** How far a wall clock that was set back may have put times out of id order. */
const clockJumpMsMax = 24 * 3_600_000;

/** Messages of some runs that may match, newest first; `firstMessageId` is of the oldest run. */
interface Candidates {
  ids: readonly number[];
  next: number;
  firstMessageId: number;
}

export class SearchTask implements ReadTask<SearchPage> {
  readonly #reader: Reader;
  readonly #request: SearchRequest;
  readonly #monotonic: () => number;
  readonly #range: KeyRange | null;
  readonly #runs: RunFilter;
  readonly #endsAt: number;
  readonly #found: FoundMessage[] = [];
  /** Everything from this id on has been searched. */
  #end: number | null = null;
  #stepRows = stepRowsMin;
  #candidates: Candidates | null = null;

  constructor(reader: Reader, request: SearchRequest, monotonic: () => number) {
    this.#reader = reader;
    this.#request = request;
    this.#monotonic = monotonic;
    this.#range = rangeOf(request.filter);
    this.#runs = new RunFilter(reader.rollups, request.filter);
    this.#endsAt = monotonic() + request.workMs;
  }

  step(): SearchPage | null {
    const { before, after = 0, limit } = this.#request;
    this.#end ??= before ?? this.#reader.messages.end();
    const last = after + 1;
    if (this.#end > last) this.#end = Math.max(this.#look(this.#end), last);
    if (this.#found.length >= limit) return this.#page(this.#found.at(-1)?.id ?? this.#end);
    return this.#end <= last || this.#monotonic() >= this.#endsAt ? this.#page(this.#end) : null;
  }

  #page(end: number): SearchPage {
    return {
      messages: this.#found,
      continueBefore: end > 1 ? end : null,
      lookedBackTo: this.#reader.messages.acceptedAt(end),
    };
  }

  /** Returns the id down to which everything is then searched. */
  #look(end: number): number {
    const { messages, lookup } = this.#reader;
    const { campaignId } = this.#request.filter;
    if (campaignId !== undefined) return this.#walkCampaign(campaignId, end);
    const isInRun = end - 1 <= lookup.mergedTo();
    const first = this.#range !== null && isInRun ? this.#lookUp(end, this.#range) : this.#walk(end, isInRun);
    return isBefore(messages.acceptedAt(first), this.#request.filter.from) ? 1 : first;
  }

  #walk(end: number, isInRun: boolean): number {
    const { lookup } = this.#reader;
    const run = isInRun ? lookup.runBefore(end) : null;
    if (run !== null && end - 1 <= run.lastMessageId && !this.#runs.mayHold(run)) return run.firstMessageId;
    return this.#scan(end, isInRun ? (run?.firstMessageId ?? 1) : lookup.mergedTo() + 1);
  }

  /** A campaign's messages are known without any index: only its runs are read. */
  #walkCampaign(campaignId: number, end: number): number {
    const run = this.#reader.campaigns.runBefore(campaignId, end);
    if (run === null) return 1;
    const { firstMessageId, messageCount } = run;
    return this.#scan(Math.min(end, firstMessageId + messageCount), firstMessageId);
  }

  /** Reads a step's rows below `end`, down to `lowest` at most. */
  #scan(end: number, lowest: number): number {
    const { messages } = this.#reader;
    const { filter, after = 0 } = this.#request;
    const first = Math.max(end - this.#stepRows, lowest, after + 1);
    const startedAt = this.#monotonic();
    this.#found.push(...messages.slice(filter, first, end, this.#left()));
    const share = stepMs / Math.max(this.#monotonic() - startedAt, stepMs / 2);
    this.#stepRows = Math.round(Math.min(Math.max(this.#stepRows * share, stepRowsMin), stepRowsMax));
    return first;
  }

  #lookUp(end: number, range: KeyRange): number {
    this.#candidates ??= this.#candidatesBefore(end, range);
    const { ids, next, firstMessageId } = this.#candidates;
    const some = ids.slice(next, next + stepCandidates);
    if (some.length > 0) this.#found.push(...this.#reader.messages.among(this.#request.filter, some, this.#left()));
    const isLast = next + some.length >= ids.length;
    this.#candidates = isLast ? null : { ids, next: next + some.length, firstMessageId };
    return isLast ? firstMessageId : (some.at(-1) ?? firstMessageId);
  }

  #candidatesBefore(end: number, range: KeyRange): Candidates {
    const { lookup } = this.#reader;
    const { after = 0 } = this.#request;
    const ids: number[] = [];
    let firstMessageId = end;
    for (let runs = 0; runs < stepRuns && ids.length < stepCandidates && firstMessageId > after + 1; runs += 1) {
      const run = lookup.runBefore(firstMessageId);
      if (run === null) return { ids, next: 0, firstMessageId: 1 };
      ids.push(...lookup.messageIds(run, range).filter((id) => id < end && id > after));
      firstMessageId = run.firstMessageId;
    }
    return { ids, next: 0, firstMessageId };
  }

  #left(): number {
    return this.#request.limit - this.#found.length;
  }
}

function rangeOf({ recipient, recipientEnd, clientReference }: MessageFilter): KeyRange | null {
  const digits = recipient?.slice(1) ?? recipientEnd;
  if (digits !== undefined) return recipientRange(digits);
  return clientReference === undefined ? null : referenceRange(clientReference);
}

function isBefore(acceptedAt: number | null, from: number | undefined): boolean {
  return acceptedAt !== null && from !== undefined && acceptedAt < from - clockJumpMsMax;
}

/**
 * A run that spans more time than this is scanned: either the clock jumped, or there are so few messages that scanning
 * is quick.
 */
const spanMsMax = 31 * 24 * 3_600_000;

export class RunFilter {
  readonly #rollups: Reader["rollups"];
  readonly #filter: MessageFilter;
  /** The part of the filter that the figures can answer; null if none. */
  readonly #counted: RollupFilter | null;
  /** Under load many runs are in the same slots: they share one answer, from when the first of them was checked. */
  #last: { from: number; to: number; mayHold: boolean } | null = null;

  constructor(rollups: Reader["rollups"], filter: MessageFilter) {
    this.#rollups = rollups;
    this.#filter = filter;
    this.#counted = countedOf(filter);
  }

  /** False: none of the run's messages matches. */
  mayHold({ firstAt, lastAt }: Pick<SearchRun, "firstAt" | "lastAt">): boolean {
    if (firstAt === null || lastAt === null) return true;
    const { from = firstAt, to = lastAt + 1 } = this.#filter;
    const first = Math.max(firstAt, from);
    const last = Math.min(lastAt, to - 1);
    if (first > last) return false;
    return this.#counted === null || last - first > spanMsMax || this.#isCounted(slotOf(first), slotOf(last));
  }

  #isCounted(from: number, to: number): boolean {
    if (this.#last?.from === from && this.#last.to === to) return this.#last.mayHold;
    const mayHold = !this.#rollups.isComplete(from) || this.#rollups.holds(from, to, this.#counted ?? {});
    this.#last = { from, to, mayHold };
    return mayHold;
  }
}

function countedOf({ accountId, routeIds, errorCode, states }: MessageFilter): RollupFilter | null {
  if ([accountId, routeIds, errorCode, states].every((one) => one === undefined)) return null;
  // A status covers more states than are asked for, so more runs may be scanned, never fewer.
  return { accountId, routeIds, errorCode, statuses: states && [...new Set(states.map(publicStatusOf))] };
}

/** Counts the messages accepted since then that a search would find. */
export class NewerTask implements ReadTask<NewerMessages> {
  readonly #reader: Reader;
  readonly #search: SearchTask | null;

  readonly #shown: number;

  constructor(reader: Reader, { after, shown, ...request }: NewerRequest, monotonic: () => number) {
    this.#reader = reader;
    this.#shown = shown;
    this.#search = after === null ? null : new SearchTask(reader, { ...request, before: null, after }, monotonic);
  }

  step(): NewerMessages | null {
    const newest = this.#reader.messages.newest();
    if (this.#search === null) return { count: 0, messages: [], newest };
    const page = this.#search.step();
    if (page === null) return null;
    return { count: page.messages.length, messages: page.messages.slice(0, this.#shown), newest };
  }
}

/** 400 KB of text, which the serving thread reads in half a millisecond. */
const limit = 2_000;
/** If few messages match, a page ends early, so that the reader of the export sees progress. */
const workMs = 2_000;

/** A page of an export: a search whose messages are formatted as CSV. */
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
