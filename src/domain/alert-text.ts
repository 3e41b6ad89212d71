/** What is wrong: a code for each condition, its values, and its words in English. Another language is another table. */

interface RouteValues {
  route: string;
}
/** `share`: from 0 to 1. */
interface ShareValues {
  share: number;
}
interface WaitValues {
  waitedMs: number;
}
interface SlowValues {
  takenMs: number;
}
/** Null where there never was one. */
interface AgeValues {
  ageMs: number | null;
}
interface BytesValues {
  bytes: number;
}

/** What each sentence is made of. */
export interface AlertValues {
  RouteDown: RouteValues;
  Refusals: RouteValues & ShareValues;
  Throttled: RouteValues;
  ReceiptsMissing: RouteValues;
  ReceiptsOrphaned: RouteValues;
  OtpLate: WaitValues;
  SingleLate: WaitValues;
  BulkLate: WaitValues;
  CannotStore: object;
  CommitsSlow: SlowValues;
  EventLoopSlow: SlowValues;
  WalGrows: BytesValues;
  DiskFull: BytesValues;
  CallbacksFail: ShareValues;
  WebhookSwitchedOff: { count: number };
  BackupOld: AgeValues;
  FrequentBackupOld: AgeValues;
  BackupNotElsewhere: AgeValues;
  /** Below zero: it has ended. */
  CertificateEnds: { leftMs: number };
  /** `of`: an account or a key, as commands name it. */
  QuotaNearlyUsed: { of: string; period: string; partsUsed: number; partsMax: number };
  BalanceLow: { account: string; name: string; isEmpty: boolean };
  DeliveryRateFell: RouteValues & ShareValues & { shareBefore: number };
  /** `messages` in an hour; `highest` of the hours of the week before. */
  TrafficJumped: { account: string; name: string | null; messages: number; highest: number };
}

export type AlertCode = keyof AlertValues;

export type CodedAlert<Code extends AlertCode = AlertCode> = {
  [One in Code]: { code: One; values: AlertValues[One] };
}[Code];

/** An alert that an older version stored has no code. */
export type AlertCoding = CodedAlert | { code?: never; values?: never };

/** How a text writes what stands in it. */
export interface AlertWriting {
  number(value: number): string;
  /** `share`: from 0 to 1. */
  percent(share: number): string;
  bytes(size: number): string;
  time(ms: number): string;
}

/** Sentences without their full stop. */
export type AlertTexts = {
  readonly [Code in AlertCode]: (values: AlertValues[Code], write: AlertWriting) => string;
};

const late =
  (what: string) =>
  ({ waitedMs }: WaitValues, { time }: AlertWriting) =>
    `${what} has been waiting for ${time(waitedMs)}`;

const old =
  (what: string) =>
  ({ ageMs }: AgeValues, { time }: AlertWriting) =>
    ageMs === null ? `${what} was never made` : `${what} is ${time(ageMs)} old`;

export const englishAlerts: AlertTexts = {
  RouteDown: ({ route }) => `Route ${route} is down and its messages wait`,
  Refusals: ({ route, share }, { percent }) => `Route ${route} refuses ${percent(share)} of its messages`,
  Throttled: ({ route }) => `Route ${route} says "too fast"`,
  ReceiptsMissing: ({ route }) => `Route ${route} takes messages and sends no receipts`,
  ReceiptsOrphaned: ({ route }) => `Receipts of route ${route} belong to no message`,
  OtpLate: late("A one-time password"),
  SingleLate: late("A single message"),
  BulkLate: late("A bulk message"),
  CannotStore: () => "Transactions were rolled back; requests were answered with 503",
  CommitsSlow: ({ takenMs }) => `One commit in a hundred takes longer than ${takenMs} ms`,
  EventLoopSlow: ({ takenMs }) => `The event loop comes late by ${takenMs} ms`,
  WalGrows: ({ bytes }, write) => `The write-ahead log has ${write.bytes(bytes)}`,
  DiskFull: ({ bytes }, write) => `Only ${write.bytes(bytes)} are free for the data folder`,
  CallbacksFail: ({ share }, { percent }) => `${percent(share)} of callback attempts fail`,
  WebhookSwitchedOff: ({ count }) =>
    `Webhooks that were switched off, every callback having failed for five days: ${count}`,
  BackupOld: old("The newest nightly backup"),
  FrequentBackupOld: old("The newest backup of every few minutes"),
  BackupNotElsewhere: old("The newest backup on another machine"),
  CertificateEnds: ({ leftMs }, { time }) =>
    leftMs < 0 ? "The certificate has ended" : `The certificate ends in ${time(leftMs)}`,
  QuotaNearlyUsed: ({ of, period, partsUsed, partsMax }) =>
    `The quota of ${of} is nearly used up: ${partsUsed} of ${partsMax} parts of its ${period}`,
  BalanceLow: ({ account, name, isEmpty }) =>
    `${name} (${account}) ${isEmpty ? "has nothing left to spend" : "has less left to spend than it spent in a day"}`,
  DeliveryRateFell: ({ route, share, shareBefore }, { percent }) =>
    `Route ${route} delivers ${percent(share)} of its messages, ${percent(shareBefore)} in the week before`,
  TrafficJumped: ({ account, name, messages, highest }) =>
    `Account ${account} (${name}) sent ${messages} messages in an hour; the highest hour of the week before had ${highest}`,
};

const gib = 1024 ** 3;
const minuteMs = 60_000;

/** `45 s`, `12 min`, `5 h`, `3 d`. */
function time(ms: number): string {
  const units = [
    [24 * 60 * minuteMs, "d"],
    [60 * minuteMs, "h"],
    [minuteMs, "min"],
  ] as const;
  const [unitMs, unit] = units.find(([each]) => ms >= 2 * each) ?? [1_000, "s"];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

const plainWriting: AlertWriting = {
  number: String,
  percent: (share) => `${Math.round(share * 100)} %`,
  bytes: (size) => (size < gib ? `${Math.round(size / 1024 ** 2)} MiB` : `${(size / gib).toFixed(1)} GiB`),
  time,
};

export function alertText<Code extends AlertCode>(
  { code, values }: CodedAlert<Code>,
  texts = englishAlerts,
  write = plainWriting,
): string {
  return texts[code](values, write);
}

/** `subject`: a route, an account, a class; empty for the service as a whole. */
export function alertOf<Code extends AlertCode>(code: Code, subject: string, values: AlertValues[Code]) {
  return { subject, words: alertText<Code>({ code, values }), code, values };
}
