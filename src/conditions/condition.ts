/** What an entry of the table of conditions says, and what it may ask the service for. */
import type { FiguresRequest, FiguresRow } from "../reports/protocol.ts";
import type { MetricSamples } from "./metric-samples.ts";

/** `page`: somebody should get up for it; `ticket`: it can wait until morning. */
export type Severity = "page" | "ticket";

/** How a sentence writes what stands in it: a reader has digits, a calendar and a zone. */
export interface Writing {
  number(value: number): string;
  /** `share`: from 0 to 1. */
  percent(share: number): string;
  bytes(size: number): string;
  duration(ms: number): string;
  /** Epoch milliseconds. */
  moment(at: number): string;
  /** Names, commands and what others wrote. */
  name(text: string): string;
}

export interface ConditionText<Values> {
  /** A sentence without its full stop. */
  says(values: Values, write: Writing): string;
  /** What to do: a command, or what leads to one. */
  todo(values: Values, write: Writing): string;
}

/** Where conditions are shown: to operators who are told, `peyk status`, the console's first page, `peyk doctor`. */
export const views = ["alert", "status", "now", "doctor"] as const;
export type View = (typeof views)[number];

export type Found<Values> = readonly Values[];

/** `Answer`: what is judged at once gives it at once. */
export interface ConditionEntry<Values, Asked, Answer = Found<Values> | Promise<Found<Values>>> {
  severity: Severity;
  /** It must stand for so long before anybody is alerted. */
  holdMs?: number;
  /** How far back it looks: after a start it is not taken as over before. */
  windowMs?: number;
  /** It is judged so often at most; what was found last stands in between. */
  everyMs?: number;
  /** A route: texts about it go by another one. */
  isOfRoute?: true;
  /** Of a route, an account; absent for the service as a whole. */
  subject?(values: Values): string;
  /** What is wrong now: one entry of values for each subject. */
  find(facts: Asked): Answer;
  /** The same for Prometheus; `values` name the labels. Null with a reason where metrics do not tell it. */
  rule: { expr: string; values: Values } | { noMetric: string };
  /** The doctor's own check that tells it, also where all is well. */
  check?: string;
  /** Of what is wrong already: it is so bad that the doctor ends with 1. */
  isGrave?(values: Values): boolean;
  /** Views that leave it out, and why. */
  notIn?: { readonly [One in View]?: string };
  en: ConditionText<Values>;
  /** Without `todo` where a command alone needs no words. */
  fa: Pick<ConditionText<Values>, "says"> & Partial<ConditionText<Values>>;
}

/** Gives an entry its types; what it asks for is no more than it names. */
export const condition =
  <Values>() =>
  <Asked, Answer extends Found<Values> | Promise<Found<Values>>>(
    entry: ConditionEntry<Values, Asked, Answer>,
  ): ConditionEntry<Values, Asked, Answer> =>
    entry;

/** Moments in epoch milliseconds, durations in milliseconds. */
export interface ConditionFacts {
  now: number;
  damage(): { reason: string; copy: string | null } | null;
  /** Since when a restored copy holds the queue. */
  heldSince(): number | null;
  /** How far the clock jumped ahead; null while it is believed. */
  clockAheadMs(): number | null;
  /** How far what was booked is ahead of a clock that is believed; 0 where it is not. */
  booksAheadMs(): number;
  /** Enabled ones that do not run: `isNeeded` where a message of an active sender may take it, or waits for it. */
  routesDown(): readonly { route: string; isNeeded: boolean }[];
  /** Receipts that match no message, of routes on which none has matched; of this age at least. */
  receiptsUnmatched(ageMsMin: number): readonly { route: string; count: number }[];
  freeBytes(): number;
  walBytes(): number;
  /** When the newest of each was made; null where none is made, 0 where none ever was though it should. */
  nightlyAt(): number | null;
  frequentAt(): number | null;
  /** Between two frequent backups as it is now; null where none are made. */
  frequentIntervalMs(): number | null;
  /** The newest one that was brought elsewhere. */
  shippedAt(): number | null;
  certificateEndsAt(): number | null;
  webhooksSwitchedOff(): number;
}

/** What takes a history, or too long to ask at each look: only the alerts judge by it, and the other views show what they found. */
export interface WatchedFacts extends ConditionFacts {
  samples: MetricSamples;
  figures(request: FiguresRequest): Promise<FiguresRow[]>;
  routeName(id: number): string | null;
  accountName(id: number): string | null;
  /** Of which less than a fifth is left; `of`: an account or a key, as commands name it. */
  quotas(): readonly { of: string; period: string; partsUsed: number; partsMax: number }[];
  /** Active prepaid accounts; amounts in the currency's smallest unit, `spent` in the last day. */
  balances(): readonly { account: string; name: string; available: number; spent: number }[];
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const fullDayMs = 24 * hourMs;
export const mib = 1024 ** 2;
export const gib = 1024 ** 3;

/** As a rule for Prometheus names it. */
export const routeLabel = { route: "{{ $labels.route }}" };
