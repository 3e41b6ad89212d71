/** What happened to a message, step by step: customers see the public steps, and the calls to their own webhooks. */
import { publicStatuses } from "../../../domain/message.ts";
import type { QueueAhead } from "../../../messaging/messages/queue-depth.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import type { StoryStep } from "../../components/story.tsx";
import type { Locale } from "../../locale.ts";
import { type MessageReason, reasonText, toldText } from "../../page/message-reason.ts";
import { epochOf, failureOf, type ReadBy, reasonOf, statusPills } from "./message-state.ts";
import { messageWords } from "./words.ts";

/** A pause at least this long is mentioned, in milliseconds. */
const gapMs = 1000;

/** `order`: among steps of the same moment. */
type Placed = readonly [order: number, step: StoryStep];

/** Oldest first. */
export function stepsOf(message: MessageAnswer, readBy: ReadBy, locale: Locale): StoryStep[] {
  const timeline = readBy === "staff" ? message.timeline : [];
  const next = nextStep(message, readBy, locale);
  const placed: Placed[] = [
    ...timeline.map((entry): Placed => [2, timelineStep(entry, locale)]),
    ...message.history.map((change): Placed => [orderOf(change), publicStep(change, message, readBy, locale)]),
    ...message.callbacks.map((call): Placed => [4, callbackStep(call, locale)]),
    ...(next === null ? [] : [[5, next] as const]),
  ];
  const steps = placed.toSorted(([a, one], [b, other]) => one.at - other.at || a - b).map(([, step]) => step);
  return steps.map((step, index) => {
    const waitedMs = step.at - (steps[index - 1]?.at ?? step.at);
    return waitedMs < gapMs ? step : { ...step, waitedMs };
  });
}

type Change = MessageAnswer["history"][number];

const orderOf = ({ status }: Change): number => (status === "queued" ? 0 : status === "processing" ? 1 : 3);

function publicStep(
  { status, changedAt }: Change,
  { key, route, partCount, sentAt, error }: MessageAnswer,
  readBy: ReadBy,
  locale: Locale,
): StoryStep {
  const { language, words, format } = locale;
  const say = messageWords[language].step;
  const at = epochOf(changedAt);
  switch (status) {
    case "queued":
      return { at, tone: "info", what: say.accepted, why: key === null ? say.acceptedByPerson : say.acceptedWhy(key) };
    case "processing":
      return { at, tone: "info", what: say.claimed };
    case "sent": {
      const taker = (readBy === "staff" ? route : null) ?? words.reasons.network;
      return { at, tone: "info", what: say.taken(taker), why: say.takenWhy(format.count(partCount)) };
    }
    case "delivered": {
      const why = say.deliveredWhy(format.duration(at - epochOf(sentAt ?? changedAt)));
      return { at, tone: "ok", what: say.delivered, why };
    }
    case "failed": {
      const why = reasonText(failureOf(error ?? { code: "internal", message: "" }), locale);
      return { at, tone: "bad", what: say.failed, why };
    }
    case "cancelled":
      return { at, tone: "wait", what: say.cancelled };
  }
}

/** By the kind of the operator's entry. */
const entryTones = {
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
} as const satisfies Record<string, StoryStep["tone"]>;

const isKnown = (kind: string): kind is keyof typeof entryTones => Object.hasOwn(entryTones, kind);

function timelineStep({ at, kind, route, reason }: MessageAnswer["timeline"][number], locale: Locale): StoryStep {
  const say = messageWords[locale.language].step;
  const what = isKnown(kind) ? say.entry[kind] : say.remark;
  return {
    at: epochOf(at),
    tone: isKnown(kind) ? entryTones[kind] : "info",
    what: route === null ? what : say.onRoute(what, route),
    why: toldText(reason, locale),
  };
}

function callbackStep(call: MessageAnswer["callbacks"][number], { language, words, format }: Locale): StoryStep {
  const { url, step, at, outcome, status, durationMs } = call;
  const say = messageWords[language].step;
  const isTaken = outcome === "delivered";
  const told = words.states[statusPills[publicStatuses.find((known) => known === step) ?? "sent"]];
  return {
    at: epochOf(at),
    tone: isTaken ? "ok" : "warn",
    what: (isTaken ? say.callback : say.callbackFailed)(URL.parse(url)?.host ?? url),
    why: say.callbackAnswer(told, status === null ? null : format.plain(status), format.duration(durationMs)),
  };
}

/** Null for a message that is final. */
function nextStep(message: MessageAnswer, readBy: ReadBy, locale: Locale): StoryStep | null {
  const isOpen = !["delivered", "failed", "cancelled"].includes(message.status);
  const reason = isOpen ? reasonOf(message, readBy) : null;
  if (reason === null) return null;
  const at = Math.max(locale.format.now, epochOf(message.updatedAt));
  const what = messageWords[locale.language].step.next;
  return { at, tone: "wait", what, why: waitText(reason, message.ahead, locale), ahead: true };
}

/** Why it waits, and how many messages are ahead of it; `ahead` is null where that is not counted. */
export function waitText(reason: MessageReason, ahead: QueueAhead | null, locale: Locale): string {
  const why = reasonText(reason, locale);
  if (ahead === null) return why;
  const count = locale.format.count(ahead.messages);
  return `${why} ${messageWords[locale.language].step.ahead(count, ahead.more)}`;
}
