/** What the server asks its reading thread, and what comes back. Answers travel as JSON text: rows as objects took three times as long. */
import type { MessageClass, PublicStatus } from "../domain/message.ts";
import type { FoundMessage, MessageFilter } from "../store/message-search.ts";

export interface SearchRequest {
  filter: MessageFilter;
  /** Only messages with a lower id; null for all. */
  before: number | null;
  /** Only messages with a higher id; all when left out. */
  after?: number;
  limit: number;
  /** After so many milliseconds it answers with what it has found, which may be nothing yet. */
  workMs: number;
}

export interface SearchPage {
  /** Newest first. */
  messages: FoundMessage[];
  /** Ids below it were not looked at; null when there are none. */
  continueBefore: number | null;
  /** When the oldest message was accepted that was looked at, in epoch milliseconds; null where there was none. */
  lookedBackTo: number | null;
}

export interface NewerRequest {
  filter: MessageFilter;
  /** Counted are messages with a higher id; null: none is counted. */
  after: number | null;
  limit: number;
  workMs: number;
}

export interface NewerMessages {
  /** As many as the limit, or were found in the time, at most. */
  count: number;
  /** What is accepted from now on has a higher id. */
  newest: number;
}

/** How an export is written. */
export interface ExportWriting {
  /** By id: only the server knows them. */
  routeNames: Readonly<Record<number, string>>;
  /** A customer reads nothing of routes and attempts. */
  isForCustomer?: boolean;
  /** Of the times, a name of the IANA database; UTC when left out. */
  timeZone?: string | undefined;
}

export interface ExportRequest {
  filter: MessageFilter;
  before: number | null;
  writing: ExportWriting;
}

/** Messages as lines of CSV, the newest first; `continueBefore` as in SearchPage. */
export interface ExportPage {
  lines: string;
  continueBefore: number | null;
}

export const figureDimensions = ["accountId", "senderId", "routeId", "class", "network"] as const;
export type FigureDimension = (typeof figureDimensions)[number];

export interface FiguresRequest {
  /** Of acceptance, in epoch milliseconds: from `from` up to, not including, `to`. Whole quarters of an hour. */
  from: number;
  to: number;
  by: readonly FigureDimension[];
  period: "all" | "hour" | "day" | "month";
  /** Where days begin: a name of the IANA database. */
  timeZone: string;
  calendar: "gregory" | "persian";
  /** Everything that is given must hold. */
  filter: { [Dimension in FigureDimension]?: number | undefined };
}

export interface FiguresRow {
  /** As the calendar counts: `1405-08-30`, with the hour `1405-08-30 14`; empty for all. */
  period: string;
  /** The first quarter of an hour of the period that has messages, in epoch milliseconds. */
  startsAt: number;
  accountId?: number;
  senderId?: number;
  /** 0 for messages that no route had yet. */
  routeId?: number;
  class?: MessageClass;
  /** 0 where it is not known. */
  network?: number;
  messages: number;
  parts: number;
  statuses: Partial<Record<PublicStatus, number>>;
  /** Messages by the error that they failed with. */
  errors: Partial<Record<string, number>>;
  /** From when they were due; null where none is delivered. */
  deliveryMedianMs: number | null;
  deliveryP95Ms: number | null;
}

/** Every kind of question. */
export interface Questions {
  search: { request: SearchRequest; answer: SearchPage };
  newer: { request: NewerRequest; answer: NewerMessages };
  export: { request: ExportRequest; answer: ExportPage };
  figures: { request: FiguresRequest; answer: FiguresRow[] };
}

export type QuestionKind = keyof Questions;

/** A question on its way. `cancelled` becomes 1 when nobody waits for the answer any more. */
export type Question = {
  [Kind in QuestionKind]: { kind: Kind; request: Questions[Kind]["request"]; id: number; cancelled: Int32Array };
}[QuestionKind];

export type ToReader = { open: string } | { ask: Question } | "close";

export type FromReader = { id: number; answer: string } | { id: number; failure: string } | "closed";
