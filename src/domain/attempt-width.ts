/**
 * How many attempts at once a webhook gets: more while its receiver answers promptly, fewer when it cannot keep up. One
 * round trip of 50 ms allows 20 callbacks a second for each.
 */

/** A receiver that nothing is known of, and one that fails: each webhook always had as many. */
export const attemptsAtFirst = 2;
export const attemptsAtOnceMax = 32;

/** Why a webhook has as many attempts at once as it has, in English. */
export const englishWidthReasons = {
  /** It has not been busy lately. */
  first: "more once it is busy and answers promptly",
  prompt: "its answers are prompt",
  /** The receiver answers more slowly than it can, or than a second. */
  steady: "with more, its answers would only come later",
  slow: "an answer took longer than two seconds",
  refused: "it answered with an error",
  no_answer: "it gave no answer",
  throttled: "it asked for fewer (429 or Retry-After)",
} as const;

export type WidthReason = keyof typeof englishWidthReasons;
/** A metric knows them before the first. */
export const widthReasons: readonly string[] = Object.keys(englishWidthReasons);

/** Times are monotonic milliseconds. */
export interface AttemptWidth {
  /** Attempts at once, from 1 to `attemptsAtOnceMax`; a fraction is on its way to the next. */
  readonly width: number;
  readonly reason: WidthReason;
  /** The shortest answer of late; null before the first. */
  readonly leastMs: number | null;
  /** When the last answer came. */
  readonly at: number;
  /** Below this width each prompt answer adds one; from here on it takes `roundsForOne` rounds of them. */
  readonly quickBelow: number;
  /** Attempts that began earlier say nothing new: one overload fails all attempts of a round. */
  readonly lowerFrom: number;
  /** One attempt at a time until then. */
  readonly heldUntil: number;
}

export const firstWidth: AttemptWidth = {
  width: attemptsAtFirst,
  reason: "first",
  leastMs: null,
  at: Number.NEGATIVE_INFINITY,
  quickBelow: attemptsAtOnceMax,
  lowerFrom: Number.NEGATIVE_INFINITY,
  heldUntil: Number.NEGATIVE_INFINITY,
};

export interface WidthAnswer {
  outcome: "accepted" | "refused" | "throttled" | "no_answer";
  beganAt: number;
  at: number;
  /** True if the webhook had all the attempts it may: otherwise the answer says nothing about more. */
  wasFull: boolean;
  /** The wait that the receiver asked for; null if it asked for none. */
  retryAfterMs: number | null;
}

const promptMsMax = 1_000;
const slowMsMin = 2_000;
/** Answers this fast are prompt, however much faster others were: below it, the time is as much ours as the receiver's. */
const alwaysPromptMs = 25;
/** A receiver that takes twice as long as it can has a queue of its own, and more attempts only make it longer. */
const queueingFactor = 2;
/** The shortest answer is forgotten at this rate, in case the receiver moved. */
const leastGrowthOfMinute = 1.1;
const minuteMs = 60_000;
/** Where it was too much before. With one round, a receiver that allows eight had to refuse one attempt in eleven. */
const roundsForOne = 2;
/** After this time without an answer, what was known of the receiver is too old. */
const knownMsMax = minuteMs;

/** The attempts at once that a webhook may have now. */
export const attemptsAtOnce = ({ width, heldUntil }: AttemptWidth, now: number): number =>
  now < heldUntil ? 1 : Math.floor(width);

/** What is still known at `now`. */
export function widthAt(before: AttemptWidth, now: number): AttemptWidth {
  if (now - before.at <= knownMsMax || now < before.heldUntil) return before;
  return firstWidth;
}

export function widthAfter(before: AttemptWidth, answer: WidthAnswer): AttemptWidth {
  const known = { ...widthAt(before, answer.at), at: answer.at };
  if (answer.outcome === "throttled") return throttled(known, answer);
  if (answer.outcome === "no_answer") return lowered(known, answer, "no_answer", attemptsAtFirst);
  if (answer.outcome === "refused") return lowered(known, answer, "refused", known.width / 2);
  return accepted(known, before.at, answer);
}

function accepted(known: AttemptWidth, knownAt: number, answer: WidthAnswer): AttemptWidth {
  const { width, quickBelow, heldUntil } = known;
  const { at, beganAt, wasFull } = answer;
  const durationMs = at - beganAt;
  if (durationMs > slowMsMin) return lowered(restored(known, answer), answer, "slow", width / 2);
  const leastMs = leastOf(known.leastMs, at - knownAt, durationMs);
  if (at < heldUntil || !wasFull) return { ...known, leastMs };
  const promptMs = Math.min(promptMsMax, Math.max(alwaysPromptMs, queueingFactor * leastMs));
  if (durationMs > promptMs) return { ...restored(known, answer), leastMs, reason: "steady" };
  const wider = Math.min(attemptsAtOnceMax, width + (width < quickBelow ? 1 : 1 / (roundsForOne * width)));
  return { ...known, leastMs, width: wider, reason: "prompt" };
}

/** An accepted answer, however slow, ends what one 429 took of the attempts that every webhook has. */
function restored(known: AttemptWidth, { at, wasFull }: WidthAnswer): AttemptWidth {
  if (!wasFull || at < known.heldUntil || known.width >= attemptsAtFirst) return known;
  return { ...known, width: Math.min(attemptsAtFirst, known.width + 1) };
}

function leastOf(leastMs: number | null, sinceMs: number, durationMs: number): number {
  if (leastMs === null) return durationMs;
  return Math.min(durationMs, leastMs * leastGrowthOfMinute ** (sinceMs / minuteMs));
}

/** Never below `attemptsAtFirst`, which every webhook has whatever its receiver does; one that was throttled keeps less. */
function lowered(known: AttemptWidth, answer: WidthAnswer, reason: WidthReason, width: number): AttemptWidth {
  if (answer.beganAt < known.lowerFrom) return known;
  const narrower = Math.min(known.width, Math.max(attemptsAtFirst, width));
  return { ...known, width: narrower, reason, quickBelow: quickBelowAfter(known), lowerFrom: answer.at };
}

const quickBelowAfter = ({ width }: AttemptWidth) => Math.max(attemptsAtFirst, width / 2);

function throttled(known: AttemptWidth, answer: WidthAnswer): AttemptWidth {
  const heldUntil = Math.max(known.heldUntil, answer.at + (answer.retryAfterMs ?? 0));
  if (answer.beganAt < known.lowerFrom) return { ...known, heldUntil };
  const width = Math.max(1, known.width / 2);
  const quickBelow = quickBelowAfter(known);
  return { ...known, heldUntil, width, quickBelow, reason: "throttled", lowerFrom: answer.at };
}
