/** Silenced alerts: nobody is notified for a time, usually because somebody is already working on the cause. */
import type { Due } from "./alert-book.ts";

export interface SilencedAlert {
  condition: string;
  /** A route or an account; null for every one. */
  subject: string | null;
}

export interface Silence extends SilencedAlert {
  /** Epoch milliseconds. */
  until: number;
}

export const isSameSilence = (a: SilencedAlert, b: SilencedAlert): boolean =>
  a.condition === b.condition && a.subject === b.subject;

/** The silence that covers an alert, the longest one if several do. */
export function silenceOf(
  alert: { condition: string; subject: string },
  silences: readonly Silence[],
): Silence | undefined {
  return silences
    .filter(
      ({ condition, subject }) => condition === alert.condition && (subject === null || subject === alert.subject),
    )
    .toSorted((a, b) => b.until - a.until)[0];
}

/** The end of an alert is announced: whoever was notified of its beginning waits for it. */
export function withoutSilenced(due: Due, silences: readonly Silence[]): Due {
  const isHeard = (alert: Due["fired"][number]) => silenceOf(alert, silences) === undefined;
  return { ...due, fired: due.fired.filter(isHeard), again: due.again.filter(isHeard) };
}
