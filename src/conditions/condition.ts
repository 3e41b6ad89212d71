/** What an entry in the table of conditions declares, and the facts that it can ask the service for. */
import type { FiguresRequest, FiguresRow } from "../reports/protocol.ts";
import type { MetricSamples } from "./metric-samples.ts";

/** `page`: worth waking somebody up; `ticket`: can wait until morning. */
export type Severity = "page" | "ticket";

/** Formats the values in a sentence: the reader has digits, a calendar and a time zone. */
export interface Writing {
  number(value: number): string;
  /** `share`: from 0 to 1. */
  percent(share: number): string;
  bytes(size: number): string;
  duration(ms: number): string;
  /** Epoch milliseconds. */
  moment(at: number): string;
  /** Names, commands and text written by others. */
  name(text: string): string;
}

export interface ConditionText<Values> {
  /** What it is called. */
  name: string;
  /** A sentence without its full stop. */
  says(values: Values, write: Writing): string;
  /** What to do: a command, or where to find one. */
  todo(values: Values, write: Writing): string;
}

/** Where conditions are shown: in alerts, `peyk status`, the console's first page, `peyk doctor`. */
export const views = ["alert", "status", "now", "doctor"] as const;
export type View = (typeof views)[number];

export type Found<Values> = readonly Values[];

/** `Answer`: synchronous for conditions that can be evaluated immediately. */
export interface ConditionEntry<Values, Asked, Answer = Found<Values> | Promise<Found<Values>>> {
  severity: Severity;
  /** How long it must hold before anybody is alerted. */
  holdMs?: number;
  /** How far back it looks: for this long after a start, it is not considered over. */
  windowMs?: number;
  /** The shortest time between two evaluations; in between, the last result counts. */
  everyMs?: number;
  /** Absent where there is none to name: it is found or not. */
  limit?: ConditionLimit;
  /** The condition of a route: its text messages go by another route. */
  isOfRoute?: true;
  /** A route or an account; absent for the service as a whole. */
  subject?(values: Values): string;
  /** Current problems: one set of values for each subject. */
  find(facts: Asked): Answer;
  /** The same for Prometheus; `values` name the labels. A reason instead where no metric shows it. */
  rule: { expr: string; values: Values } | { noMetric: string };
  /** The doctor's own check that covers it and also reports when all is well. */
  check?: string;
  /** Whether an existing problem is bad enough for the doctor to exit with 1. */
  isGrave?(values: Values): boolean;
  /** Views that omit it, and why. */
  notIn?: { readonly [One in View]?: string };
  /** A page of the documentation that says what to do, and the id of a heading in its English text. */
  help: readonly [page: string, heading?: string];
  en: ConditionText<Values>;
  /** `todo` is optional: a bare command needs no translation. */
  fa: Pick<ConditionText<Values>, "name" | "says"> & Partial<ConditionText<Values>>;
}

/** From which value on a condition is found. Durations in milliseconds, shares from 0 to 1. */
export interface ConditionLimit {
  kind: "bytes" | "duration" | "percent" | "number" | "perSecond";
  is: "over" | "under";
  value: number;
}

/** Gives an entry its types; `find` receives only the facts that it names. */
export const condition =
  <Values>() =>
  <Asked, Answer extends Found<Values> | Promise<Found<Values>>>(
    entry: ConditionEntry<Values, Asked, Answer>,
  ): ConditionEntry<Values, Asked, Answer> =>
    entry;

/** A cluster, as seen by the leading node. */
export interface ClusterFacts {
  /** How long PostgreSQL has not responded; 0 while it does. */
  silentMs: number;
  followers: readonly {
    node: string;
    unheardMs: number;
    behind: number;
    /** Its disk takes writes, and has some room; null if it does not tell. */
    canWrite: boolean | null;
    /** How its database file differs from this node's, and whose is wrong by the log; null if it does not. */
    differs: { pages: readonly number[]; wrong: "own" | "leader" | "unknown" } | null;
    /** Age of its newest frequent copy, and of the newest one that was brought elsewhere; null for none. */
    copiedMsAgo: number | null;
    shippedMsAgo: number | null;
  }[];
  /** Whether PostgreSQL has a synchronous standby and waits for it. */
  isSynchronous: boolean;
  hasFsync: boolean;
}

/** Moments in epoch milliseconds, durations in milliseconds. */
export interface ConditionFacts {
  now: number;
  damage(): { reason: string; copy: string | null } | null;
  /** Since when the queue is held by a restored copy. */
  heldSince(): number | null;
  /** How far the clock jumped ahead; null while it is trusted. */
  clockAheadMs(): number | null;
  /** How far booked times are ahead of a trusted clock; 0 while it is not trusted. */
  booksAheadMs(): number;
  /** Enabled routes that are not running. `isNeeded`: a message of an active sender or a step of codes may use it, or waits for it. */
  routesDown(): readonly { route: string; isNeeded: boolean }[];
  /** Receipts of at least this age that match no message, for routes on which no receipt has ever matched. */
  receiptsUnmatched(ageMsMin: number): readonly { route: string; count: number }[];
  freeBytes(): number;
  walBytes(): number;
  /** When the newest of each was made; null if none are configured, 0 if one should exist but does not. */
  nightlyAt(): number | null;
  frequentAt(): number | null;
  /** The current interval between two frequent backups; null if none are made. */
  frequentIntervalMs(): number | null;
  /** The newest backup copied to another machine. */
  shippedAt(): number | null;
  /** The bucket that copies are brought to; null if there is none. Moments as above. */
  target(): { copiedAt: number | null; begunAt: number | null; failure: string | null } | null;
  certificateEndsAt(): number | null;
  webhooksSwitchedOff(): number;
  /** Why the table of ported numbers, or a look-up, cannot be used; null if it can, or there is none. */
  portedProblem(): "missing" | "damaged" | "unanswered" | "budget" | "unusable" | null;
  /** Null without a cluster, and before its state was first read. */
  cluster(): ClusterFacts | null;
  /** Valid SMPP credentials with receipts or texts waiting; `oldestAt`: since when the oldest has been waiting. */
  notTaken(): readonly { credential: string; name: string; oldestAt: number }[];
  /**
   * Wrong passwords that keep coming: for a credential, from `others` networks, or from a network, for `others`
   * credentials.
   */
  guesses(): readonly { of: string; isNetwork: boolean; since: number; guesses: number; others: number }[];
}

/**
 * Facts that need history, or take too long to collect for every view: only the alerts evaluate these, and the other
 * views show the alerts' result.
 */
export interface WatchedFacts extends ConditionFacts {
  samples: MetricSamples;
  figures(request: FiguresRequest): Promise<FiguresRow[]>;
  routeName(id: number): string | null;
  accountName(id: number): string | null;
  /** Quotas with less than a fifth left; `of`: an account or a key, as commands name it. */
  quotas(): readonly { of: string; period: string; partsUsed: number; partsMax: number }[];
  /** Active prepaid accounts; amounts in the currency's smallest unit, `spent` over the last day. */
  balances(): readonly { account: string; name: string; available: number; spent: number }[];
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const fullDayMs = 24 * hourMs;
export const mib = 1024 ** 2;
export const gib = 1024 ** 3;

/** In the syntax of a Prometheus rule. */
export const routeLabel = { route: "{{ $labels.route }}" };
