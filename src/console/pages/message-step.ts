/** What happened to a message, as data; and the step of its story that says so. */
import type { StoryStep } from "../components/story.tsx";
import type { Locale } from "../locale.ts";
import { type MessageReason, reasonText } from "./reason.ts";

/** From which silence on a gap is named: milliseconds. */
export const gapMs = 1000;

export type MessageEvent = { at: number; waitedMs?: number; raw?: string } & (
  | { kind: "accepted"; key: string }
  | { kind: "scheduled"; reason: MessageReason }
  | { kind: "waiting"; reason: MessageReason }
  | { kind: "claimed"; route: string | null }
  | { kind: "busy"; reason: MessageReason }
  | { kind: "taken"; route: string | null; parts: number }
  | { kind: "unsure"; reason: MessageReason }
  | { kind: "delivered"; afterMs: number }
  | { kind: "failed"; reason: MessageReason }
  | { kind: "cancelled"; reason: MessageReason }
  | { kind: "callback"; host: string; answer: string; tookMs: number; taken: boolean }
  | { kind: "next"; reason: MessageReason }
);

type Told = Pick<StoryStep, "tone" | "what"> & { why?: string; ahead?: boolean };

export function stepOf(event: MessageEvent, locale: Locale): StoryStep {
  const { at, waitedMs, raw } = event;
  return {
    at,
    ...told(event, locale),
    ...(waitedMs === undefined || waitedMs < gapMs ? {} : { waitedMs }),
    ...(raw === undefined ? {} : { raw }),
  };
}

function told(event: MessageEvent, locale: Locale): Told {
  const { words, format } = locale;
  const say = words.message.step;
  const routeName = (route: string | null): string => route ?? words.reasons.network;
  switch (event.kind) {
    case "accepted":
      return { tone: "info", what: say.accepted, why: say.acceptedWhy(event.key) };
    case "scheduled":
      return { tone: "wait", what: say.scheduled, why: reasonText(event.reason, locale) };
    case "waiting":
      return { tone: "wait", what: say.waiting, why: reasonText(event.reason, locale) };
    case "claimed":
      return { tone: "info", what: say.claimed(routeName(event.route)) };
    case "busy":
      return { tone: "warn", what: say.busy, why: reasonText(event.reason, locale) };
    case "taken":
      return { tone: "info", what: say.taken(routeName(event.route)), why: say.takenWhy(format.count(event.parts)) };
    case "unsure":
      return { tone: "warn", what: say.unsure, why: reasonText(event.reason, locale) };
    case "delivered":
      return { tone: "ok", what: say.delivered, why: say.deliveredWhy(format.duration(event.afterMs)) };
    case "failed":
      return { tone: "bad", what: say.failed, why: reasonText(event.reason, locale) };
    case "cancelled":
      return { tone: "wait", what: say.cancelled, why: reasonText(event.reason, locale) };
    case "callback":
      return {
        tone: event.taken ? "ok" : "warn",
        what: (event.taken ? say.callback : say.callbackFailed)(event.host),
        why: say.callbackAnswer(event.answer, format.duration(event.tookMs)),
      };
    case "next":
      return { tone: "wait", what: say.next, why: reasonText(event.reason, locale), ahead: true };
  }
}
