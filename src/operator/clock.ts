/** `/clock/confirm`: the operator says that the wall clock is right, after it jumped ahead. */
import { Elysia } from "elysia";
import { isoTime } from "../platform/clock.ts";
import type { ClockDoubt } from "../platform/clock-watch.ts";
import type { OperatorDeps } from "./deps.ts";

export function clockRoutes({ wallClock, clock }: Pick<OperatorDeps, "wallClock" | "clock">) {
  return new Elysia().post("/clock/confirm", async () => {
    const wasInDoubt = wallClock.doubt() !== null;
    await wallClock.confirm();
    return { now: isoTime(clock.now()), wasInDoubt };
  });
}

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
