/** Releases what waits since a copy was restored. */
import { Elysia } from "elysia";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";

export function queueRoutes({ sending, lanes }: Pick<OperatorDeps, "sending" | "lanes">) {
  const waiting = () => ({
    messages: lanes().reduce((sum, depth) => sum + depth.waiting, 0),
    callbacks: sending.countCallbacks(),
  });
  return new Elysia({ prefix: "/queue" }).post("/release", async () => {
    const waited = waiting();
    return { released: await sending.release(), ...waited };
  });
}

/** The warning of the status; none where nothing is held. */
export function heldWarning({ sending }: Pick<OperatorDeps, "sending">): string[] {
  const since = sending.heldSince();
  if (since === null) return [];
  return [
    `NOTHING IS SENT: a copy was restored at ${isoTime(since)}. What waits may have been sent since the copy was made. ` +
      "Look: peyk message search --status queued. Then: peyk queue release",
  ];
}
