/** What happened to a message, as data; and the step of its story that shows it. */

import type { QueueAhead } from "../../../messaging/messages/queue-depth.ts";
import type { PillState } from "../../components/pill.tsx";
import type { StoryStep } from "../../components/story.tsx";
import type { Locale } from "../../locale.ts";
import { type MessageReason, reasonText } from "../../page/reason.ts";
import { messageWords } from "./words.ts";

/** A pause at least this long is mentioned, in milliseconds. */
export const gapMs = 1000;

/** Entries of the operator's timeline. */
export const tellingKinds = [
  "rejected",
  "temporary",
  "throttled",
  "not_sent",
  "uncertain",
  "late_answer",
  "expired",
  "receipt_failed",
  "receipt_intermediate",
  "cancelled",
  "resent",
] as const;
export type TellingKind = (typeof tellingKinds)[number];

export type MessageEvent = {
  at: number;
  waitedMs?: number;
} /** `key`: the API key's name; null where a person sent it. */ & (
  | { kind: "accepted"; key: string | null }
  | { kind: "claimed" }
  | { kind: "taken"; route: string | null; parts: number }
  | { kind: "delivered"; afterMs: number }
  | { kind: "failed"; reason: MessageReason }
  | { kind: "cancelled" }
  /** `entry`: null for one that this version does not know. */
  | { kind: "told"; entry: TellingKind | null; route: string | null; reason: MessageReason }
  | { kind: "callback"; host: string; of: PillState; status: number | null; tookMs: number; taken: boolean }
  /** `ahead`: null for a message whose place in the queue is not counted. */
  | { kind: "next"; reason: MessageReason; ahead: QueueAhead | null }
);

type Told = Pick<StoryStep, "tone" | "what"> & { why?: string; ahead?: boolean };

export function stepOf(event: MessageEvent, locale: Locale): StoryStep {
  const { at, waitedMs } = event;
  return { at, ...told(event, locale), ...(waitedMs === undefined || waitedMs < gapMs ? {} : { waitedMs }) };
}

const entryTones: Readonly<Record<TellingKind, StoryStep["tone"]>> = {
  rejected: "bad",
  temporary: "warn",
  throttled: "warn",
  not_sent: "wait",
  uncertain: "warn",
  late_answer: "info",
  expired: "bad",
  receipt_failed: "bad",
  receipt_intermediate: "info",
  cancelled: "wait",
  resent: "info",
};

function told(event: MessageEvent, locale: Locale): Told {
  const { language, words, format } = locale;
  const say = messageWords[language].step;
  switch (event.kind) {
    case "accepted":
      return {
        tone: "info",
        what: say.accepted,
        why: event.key === null ? say.acceptedByPerson : say.acceptedWhy(event.key),
      };
    case "claimed":
      return { tone: "info", what: say.claimed };
    case "taken":
      return {
        tone: "info",
        what: say.taken(event.route ?? words.reasons.network),
        why: say.takenWhy(format.count(event.parts)),
      };
    case "delivered":
      return { tone: "ok", what: say.delivered, why: say.deliveredWhy(format.duration(event.afterMs)) };
    case "failed":
      return { tone: "bad", what: say.failed, why: reasonText(event.reason, locale) };
    case "cancelled":
      return { tone: "wait", what: say.cancelled };
    case "told":
      return toldByTimeline(event, locale);
    case "callback":
      return {
        tone: event.taken ? "ok" : "warn",
        what: (event.taken ? say.callback : say.callbackFailed)(event.host),
        why: say.callbackAnswer(
          words.states[event.of],
          event.status === null ? null : format.plain(event.status),
          format.duration(event.tookMs),
        ),
      };
    case "next":
      return { tone: "wait", what: say.next, why: waitText(event.reason, event.ahead, locale), ahead: true };
  }
}

/** Why it waits, and how many messages are ahead of it. */
export function waitText(reason: MessageReason, ahead: QueueAhead | null, locale: Locale): string {
  const why = reasonText(reason, locale);
  if (ahead === null) return why;
  const count = locale.format.count(ahead.messages);
  return `${why} ${messageWords[locale.language].step.ahead(count, ahead.more)}`;
}

function toldByTimeline({ entry, route, reason }: Extract<MessageEvent, { kind: "told" }>, locale: Locale): Told {
  const { language } = locale;
  const say = messageWords[language];
  const what = entry === null ? say.step.remark : say.step.entry[entry];
  return {
    tone: entry === null ? "info" : entryTones[entry],
    what: route === null ? what : say.step.onRoute(what, route),
    why: reasonText(reason, locale),
  };
}
