/** What happened to a message, step by step: customers see the public steps, and the calls to their own webhooks. */
import { publicStatuses } from "../../../domain/message.ts";
import type { QueueAhead } from "../../../messaging/messages/queue-depth.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { isolate } from "../../../words/isolate.ts";
import type { StoryStep } from "../../components/story.tsx";
import type { Locale } from "../../locale.ts";
import { type MessageReason, reasonText, toldText } from "../../page/message-reason.ts";
import { epochOf, epochOrNull, failureOf, type ReadBy, reasonOf, statusPills } from "./message-state.ts";
import { alikeRuns, attemptKindOf } from "./message-waits.ts";
import { messageTimeWords } from "./time-words.ts";
import { messageWords } from "./words.ts";

/** A pause at least this long is mentioned, in milliseconds. */
const gapMs = 5_000;
/** So long the newest step stands out. */
const freshMs = 5_000;

/** `order`: among steps of the same moment; `alike`: folded with its neighbours that have the same. */
interface Placed {
  order: number;
  step: StoryStep;
  alike?: string;
  /** How the step is told when it is folded: its route stands with the reason. */
  together?: Pick<StoryStep, "what" | "why">;
}

/** Oldest first. */
export function stepsOf(message: MessageAnswer, readBy: ReadBy, locale: Locale): StoryStep[] {
  const timeline = readBy === "staff" ? message.timeline : [];
  const placed: Placed[] = [
    ...timeline.map((entry): Placed => ({ order: 2, step: timelineStep(entry, locale), ...alikeOf(entry, locale) })),
    ...message.history.map((change): Placed => {
      return { order: orderOf(change), step: publicStep(change, message, readBy, locale) };
    }),
    ...message.callbacks.map((call): Placed => {
      const alike =
        call.outcome === "delivered" ? {} : { alike: `${call.url} ${call.step} ${call.outcome} ${call.status}` };
      return { order: 4, step: callbackStep(call, locale), ...alike };
    }),
  ];
  const sorted = placed.toSorted((a, b) => a.step.at - b.step.at || a.order - b.order);
  const runs = alikeRuns(sorted, (one, next) => one.alike !== undefined && one.alike === next.alike);
  const steps = runs.map((run, index) => folded(run, runs[index + 1]?.[0]?.step.at, locale));
  return [...withPauses(steps, message, locale), ...nextSteps(message, readBy, locale)];
}

function alikeOf(entry: MessageAnswer["timeline"][number], locale: Locale): Partial<Placed> {
  const kind = attemptKindOf(entry);
  if (kind === null) return {};
  const what = messageWords[locale.language].step.entry[kind];
  const told = toldText(entry.reason, locale);
  const why = entry.route === null ? told : `${isolate(entry.route)}: ${told}`;
  return { alike: `${entry.kind} ${entry.route} ${entry.reason.code}`, together: { what, why } };
}

/** Equal steps in a row as one, with their count, how long they lasted until the next, and each moment. */
function folded(run: readonly Placed[], nextAt: number | undefined, locale: Locale): StoryStep {
  const [first] = run;
  if (first === undefined) throw new Error("A run has at least one step");
  if (run.length === 1) return first.step;
  const { language, format } = locale;
  const say = messageTimeWords[language].story;
  const times = run.map(({ step }) => step.at);
  const until = nextAt ?? format.now;
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const between = say.between(format.span(Math.min(...pauses)), format.span(Math.max(...pauses)));
  const { step, together = step } = first;
  return {
    ...step,
    what: say.repeated(together.what, format.count(run.length), format.span(until - step.at)),
    why: together.why === undefined ? between : `${together.why} ${between}`,
    tries: { times, until },
    end: format.span(until - step.at),
  };
}

function withPauses(steps: readonly StoryStep[], message: MessageAnswer, locale: Locale): StoryStep[] {
  const { words, format } = locale;
  const sent = epochOrNull(message.sentAt);
  // That it was handed over tells what follows it, if anything does.
  const told = steps.filter(({ isPassing }, index) => isPassing !== true || index === steps.length - 1);
  return told.map((step, index) => {
    const before = told[index - 1];
    const waitedMs = step.at - (before?.tries?.until ?? before?.at ?? step.at);
    const isNewest = index === told.length - 1 && format.now - step.at < freshMs;
    const isSilence = sent !== null && before?.at === sent;
    const gap =
      waitedMs < gapMs ? {} : { gap: (isSilence ? words.story.silent : words.story.waited)(format.span(waitedMs)) };
    const end = waitedMs > 0 && waitedMs < gapMs ? { end: format.span(waitedMs) } : {};
    return { ...end, ...step, ...gap, ...(isNewest && { isFresh: true }) };
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
      return { at, tone: "info", what: say.claimed, isPassing: true };
    case "sent": {
      const taker = (readBy === "staff" ? route : null) ?? words.reasons.network;
      return { at, tone: "info", what: say.taken(taker), why: say.takenWhy(format.count(partCount)) };
    }
    case "delivered": {
      const why = say.deliveredWhy(format.duration(at - epochOf(sentAt ?? changedAt)));
      return { at, tone: "ok", what: words.states.delivered, why };
    }
    case "failed": {
      const why = reasonText(failureOf(error ?? { code: "internal", message: "" }), locale);
      return { at, tone: "bad", what: words.states.failed, why };
    }
    case "cancelled":
      return { at, tone: "wait", what: words.states.cancelled };
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
  const what = isKnown(kind) ? say.entry[kind] : locale.words.terms.note;
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
  const told = toldState(step, words);
  return {
    at: epochOf(at),
    tone: isTaken ? "ok" : "warn",
    what: (isTaken ? say.callback : say.callbackFailed)(URL.parse(url)?.host ?? url),
    why: say.callbackAnswer(told, status === null ? null : format.plain(status), format.duration(durationMs)),
  };
}

const toldState = (step: string, { states }: Locale["words"]): string =>
  states[statusPills[publicStatuses.find((known) => known === step) ?? "sent"]];

/** What is still to come: for a message that is not final its next step, then the next call of a webhook. */
function nextSteps(message: MessageAnswer, readBy: ReadBy, locale: Locale): StoryStep[] {
  const { format, language, words } = locale;
  const isOpen = !["delivered", "failed", "cancelled"].includes(message.status);
  const reason = isOpen ? reasonOf(message, readBy) : null;
  const what = messageWords[language].step.next;
  const next: StoryStep[] =
    reason === null
      ? []
      : [{ at: format.now, tone: "wait", what, why: waitText(reason, message.ahead, locale), ahead: true }];
  if (message.nextCallback === null) return next;
  const say = messageTimeWords[language].story;
  const { url, step, dueAt, attempts } = message.nextCallback;
  const at = Math.max(format.now, epochOf(dueAt));
  const host = URL.parse(url)?.host ?? url;
  const call: StoryStep = {
    at,
    tone: "wait",
    what: say.nextCallback(host, toldState(step, words)),
    why: say.nextCallbackWhy(format.count(attempts)),
    ahead: true,
    isTimed: true,
    end: say.dueIn(format.duration(at - format.now)),
  };
  return [...next, call];
}

/** Why it waits, and how many messages are ahead of it; `ahead` is null where that is not counted. */
export function waitText(reason: MessageReason, ahead: QueueAhead | null, locale: Locale): string {
  const why = reasonText(reason, locale);
  if (ahead === null) return why;
  const count = locale.format.count(ahead.messages);
  return `${why} ${messageWords[locale.language].step.ahead(count, ahead.more)}`;
}
