/** The operator says that the wall clock is right, after it jumped ahead. */
import { isoTime } from "../platform/clock.ts";
import type { ClockDoubt } from "../platform/clock-watch.ts";
import { changes } from "./operation.ts";

export const clockAdmin = {
  "POST /clock/confirm": changes({
    may: "system.change",
    scope: "none",
    input: {},
    run: async ({ wallClock, clock }) => {
      const wasInDoubt = wallClock.doubt() !== null;
      await wallClock.confirm();
      return { now: isoTime(clock.now()), wasInDoubt };
    },
    audit: { action: "clock.confirm", target: () => "clock", told: (_, answer) => answer },
  }),
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A warning for `status`, `doctor` and the start page; none where the clock is believed. */
export function clockWarning(doubt: ClockDoubt | null, now: number): string[] {
  if (doubt === null) return [];
  return [
    `THE CLOCK JUMPED AHEAD by ${wordsFor(doubt.aheadMs)}, to ${isoTime(now)}: nothing expires or is deleted until a time service ` +
      "agrees or a day has passed. If the time is right: peyk clock confirm",
  ];
}

function wordsFor(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`;
  return ms >= 2 * hourMs ? `${Math.floor(ms / hourMs)} hours` : `${Math.floor(ms / minuteMs)} minutes`;
}
