/** Who a message waited for, from its acceptance to its last status: the parts of its bar of time. */
import type { MessageAnswer } from "../../../operator/messages.ts";
import type { Locale } from "../../locale.ts";
import { epochOf, epochOrNull, type ReadBy } from "./message-state.ts";
import { messageTimeWords } from "./time-words.ts";

/** `account`: its schedule or its quiet hours. */
export type WaitedFor = "account" | "here" | "carrier" | "network";

export interface Wait {
  who: WaitedFor;
  label: string;
  /** Epoch milliseconds. */
  from: number;
  to: number;
  note?: string;
  /** It goes on. */
  isOpen?: boolean;
}

export interface MessageWaits {
  waits: readonly Wait[];
  /** When attempts ended without being taken. */
  attempts: readonly number[];
}

type Entry = MessageAnswer["timeline"][number];

const attemptKinds = ["throttled", "temporary", "not_sent", "uncertain", "rejected"] as const;
export type AttemptKind = (typeof attemptKinds)[number];
export const attemptKindOf = ({ kind }: Pick<Entry, "kind">): AttemptKind | null =>
  attemptKinds.find((known) => known === kind) ?? null;

/** After these another route takes over; after the others the same one is waited for. */
const endsThere = (kind: AttemptKind): boolean => kind === "uncertain" || kind === "rejected";

export function waitsOf(message: MessageAnswer, readBy: ReadBy, locale: Locale): MessageWaits {
  const end = epochOrNull(message.finalAt) ?? locale.format.now;
  const isOpen = message.finalAt === null;
  const accepted = epochOf(message.submittedAt);
  const claimed = epochOrNull(message.history.find(({ status }) => status === "processing")?.changedAt ?? null);
  const sent = epochOrNull(message.sentAt);
  const due = Math.min(heldUntil(message), claimed ?? end, end);
  const tried = readBy === "staff" ? message.timeline.filter((entry) => attemptKindOf(entry) !== null) : [];
  const handOver = claimed === null ? [] : carrierWaits({ message, tried, from: claimed, to: sent ?? end, locale });
  const say = messageTimeWords[locale.language].who;
  const network: Wait[] =
    sent === null
      ? []
      : [{ who: "network", label: say.network, from: sent, to: end, note: isOpen ? say.silent : say.answered }];
  const waits = [
    ...(due > accepted ? [heldWait(message, accepted, due, locale)] : []),
    hereWait(message, due, claimed ?? end, locale),
    ...handOver,
    ...network,
  ].filter(({ from, to }) => to > from);
  const last = waits.at(-1);
  return {
    waits: last === undefined || !isOpen ? waits : [...waits.slice(0, -1), { ...last, isOpen: true }],
    attempts: tried.map(({ at }) => epochOf(at)),
  };
}

/** When it could go at the earliest. */
function heldUntil({ quietUntil, sendAt, submittedAt, waitReason, dueAt }: MessageAnswer): number {
  const isHeld = waitReason?.code === "waits_due" || waitReason?.code === "waits_quiet_hours";
  return Math.max(...[quietUntil, sendAt, submittedAt, isHeld ? dueAt : null].map((at) => epochOrNull(at) ?? 0));
}

function heldWait(message: MessageAnswer, from: number, to: number, { language, format, words }: Locale): Wait {
  const say = messageTimeWords[language].who;
  const { quietUntil, accountName, waitReason } = message;
  const isQuiet = quietUntil !== null || waitReason?.code === "waits_quiet_hours";
  return {
    who: "account",
    label: isQuiet ? say.quiet(accountName ?? "") : words.states.scheduled,
    from,
    to,
    note: say.until(format.minute(to)),
  };
}

/** Before its first hand-over: in the queue, or because no route takes it. */
function hereWait({ waitReason, finalAt }: MessageAnswer, from: number, to: number, { language }: Locale): Wait {
  const say = messageTimeWords[language].who;
  if (finalAt === null && waitReason !== null) {
    if (waitReason.code === "waits_routes_down")
      return { who: "carrier", label: say.down(waitReason.routes.join(", ")), from, to };
    if (waitReason.code === "waits_window_full" || waitReason.code === "waits_rate")
      return { who: "carrier", label: say.busy(waitReason.route), from, to };
    if (waitReason.code === "waits_account_suspended") return { who: "account", label: say.suspended, from, to };
  }
  return { who: "here", label: say.here, from, to, note: say.stored };
}

interface HandOver {
  message: MessageAnswer;
  tried: readonly Entry[];
  from: number;
  to: number;
  locale: Locale;
}

/** Equal answers of one route in a row are one wait. */
function carrierWaits({ message, tried, from, to, locale }: HandOver): Wait[] {
  const say = messageTimeWords[locale.language].who;
  const groups = alikeRuns(
    tried.filter(({ at }) => epochOf(at) <= to),
    (a, b) => a.kind === b.kind && a.route === b.route,
  );
  const waits: Wait[] = [];
  let begin = from;
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const kind = first === undefined ? null : attemptKindOf(first);
    if (first === undefined || kind === null) continue;
    const isLast = index === groups.length - 1;
    const end = isLast && !endsThere(kind) ? to : Math.max(begin, epochOf(group.at(-1)?.at ?? first.at));
    const note = group.length === 1 ? {} : { note: say.times(locale.format.count(group.length)) };
    waits.push({ who: "carrier", label: say.attempt[kind](first.route ?? ""), from: begin, to: end, ...note });
    begin = end;
  }
  const label = tried.length === 0 && message.route === null ? say.handOver : (message.route ?? say.handOver);
  return begin < to ? [...waits, { who: "carrier", label, from: begin, to }] : waits;
}

/** Neighbours that are alike, together. */
export function alikeRuns<Item>(items: readonly Item[], areAlike: (one: Item, next: Item) => boolean): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && areAlike(before, item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}
