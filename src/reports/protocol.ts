/**
 * The messages between the server and its reader thread. Answers travel as JSON text: rows as objects took three times
 * as long.
 */
import type { MessageClass, PublicStatus } from "../domain/message.ts";
import type { CampaignCount } from "../store/campaign-reader.ts";
import type { FoundMessage, MessageFilter } from "../store/message-search.ts";

export interface SearchRequest {
  filter: MessageFilter;
  /** Only messages with a lower id; null for all. */
  before: number | null;
  /** Only messages with a higher id; all if omitted. */
  after?: number;
  limit: number;
  /** After this many milliseconds it answers with what it has found, possibly nothing yet. */
  workMs: number;
}

export interface SearchPage {
  /** Newest first. */
  messages: FoundMessage[];
  /** Ids below it were not searched; null if there are none. */
  continueBefore: number | null;
  /** When the oldest message examined was accepted, in epoch milliseconds; null if there was none. */
  lookedBackTo: number | null;
}

export interface NewerRequest {
  filter: MessageFilter;
  /** Counts messages with a higher id; null: counts none. */
  after: number | null;
  /** So many of them are answered themselves. */
  shown: number;
  limit: number;
  workMs: number;
}

export interface NewerMessages {
  /** At most the limit, or the number found in the time. */
  count: number;
  /** The newest of them, as many as were asked for. */
  messages: FoundMessage[];
  /** Messages accepted from now on have higher ids. */
  newest: number;
}

/** How an export is formatted. */
export interface ExportWriting {
  /** By id: only the server knows them. */
  routeNames: Readonly<Record<number, string>>;
  /** Customers do not see routes and attempts. */
  isForCustomer?: boolean;
  /** The IANA time zone of the times; UTC if omitted. */
  timeZone?: string | undefined;
}

export interface ExportRequest {
  filter: MessageFilter;
  before: number | null;
  writing: ExportWriting;
}

/** Messages as lines of CSV, newest first; `continueBefore` as in SearchPage. */
export interface ExportPage {
  lines: string;
  continueBefore: number | null;
}

export const figureDimensions = ["accountId", "senderId", "routeId", "class", "network"] as const;
export type FigureDimension = (typeof figureDimensions)[number];

export interface FiguresRequest {
  /** Time of acceptance in epoch milliseconds: `from` inclusive, `to` exclusive. Whole quarter hours. */
  from: number;
  to: number;
  by: readonly FigureDimension[];
  period: "all" | "quarter" | "hour" | "day" | "month";
  /** The IANA time zone in which days begin. */
  timeZone: string;
  calendar: "gregory" | "persian";
  /** A match satisfies every given condition. */
  filter: { [Dimension in FigureDimension]?: number | undefined };
}

export interface FiguresRow {
  /** In the calendar's notation: `1405-08-30`, with the hour `1405-08-30 14`, with a quarter `1405-08-30 14 45`; empty for all. */
  period: string;
  /** The first quarter hour of the period that has messages, in epoch milliseconds. */
  startsAt: number;
  accountId?: number;
  senderId?: number;
  /** 0 for messages not yet on a route. */
  routeId?: number;
  class?: MessageClass;
  /** 0 if unknown. */
  network?: number;
  messages: number;
  parts: number;
  statuses: Partial<Record<PublicStatus, number>>;
  /** Failed messages by error. */
  errors: Partial<Record<string, number>>;
  /** From the due time; null if none is delivered. */
  deliveryMedianMs: number | null;
  deliveryP95Ms: number | null;
  /** Deliveries by `deliveryTimeLimitsMs`, the later ones last. */
  deliveryTimes: number[];
}

export interface HoursRequest {
  by: "accountId" | "routeId";
  /** The start of the first hour, in epoch milliseconds: a whole quarter hour. */
  from: number;
  hours: number;
}

/** Messages by the hour of their acceptance, oldest first. */
export interface HoursRow {
  id: number;
  messages: number[];
  /** Of them. */
  failed: number[];
}

export interface CampaignRequest {
  campaignId: number;
}

/** Every kind of question. */
export interface Questions {
  search: { request: SearchRequest; answer: SearchPage };
  newer: { request: NewerRequest; answer: NewerMessages };
  export: { request: ExportRequest; answer: ExportPage };
  figures: { request: FiguresRequest; answer: FiguresRow[] };
  hours: { request: HoursRequest; answer: HoursRow[] };
  campaign: { request: CampaignRequest; answer: CampaignCount };
}

export type QuestionKind = keyof Questions;

/** A question in progress. `cancelled` becomes 1 when nobody is waiting for the answer any more. */
export type Question = {
  [Kind in QuestionKind]: { kind: Kind; request: Questions[Kind]["request"]; id: number; cancelled: Int32Array };
}[QuestionKind];

export type ToReader = { open: string } | { ask: Question } | "close";

export type FromReader = { id: number; answer: string } | { id: number; failure: string } | "closed";

export interface ReadTask<Answer> {
  /** Some milliseconds of work inside a read transaction; null while there is more to do. */
  step(): Answer | null;
}
