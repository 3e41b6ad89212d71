/** How English sentences are written where no reader's digits, calendar and zone are known. */
import { isoTime } from "../platform/clock.ts";
import { fullDayMs, gib, hourMs, mib, minuteMs, type Writing } from "./condition.ts";

/** `300 ms`, `45 s`, `12 min`, `5 h`, `3 d`. */
function duration(ms: number): string {
  const units = [
    [fullDayMs, "d"],
    [hourMs, "h"],
    [minuteMs, "min"],
    [1_000, "s"],
  ] as const;
  const [unitMs, unit] = units.find(([each]) => ms >= 2 * each) ?? [1, "ms"];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

export const plainWriting: Writing = {
  number: String,
  percent: (share) => `${Math.round(share * 100)} %`,
  bytes: (size) => (size < gib ? `${Math.round(size / mib)} MiB` : `${(size / gib).toFixed(1)} GiB`),
  duration,
  moment: isoTime,
  name: (text) => text,
};

/** As Prometheus fills a rule's sentence in. */
export const ruleWriting: Writing = {
  number: () => "{{ $value }}",
  percent: () => "{{ $value | humanizePercentage }}",
  bytes: () => "{{ $value | humanize1024 }}B",
  duration: () => "{{ $value | humanizeDuration }}",
  moment: () => "{{ $value | humanizeTimestamp }}",
  name: (text) => text,
};
