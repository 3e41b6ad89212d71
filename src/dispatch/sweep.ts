/** Handles what no event announces: a validity that ends while a route is down, and a clock that went back. */
import { type LaneKey, laneStart } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import { expire } from "./claim.ts";
import { type OutcomeContext, unanswered } from "./submit-outcome.ts";

/** Rows per transaction: a few milliseconds. */
const sliceRows = 200;
/** No retry is ever scheduled further ahead; one that is was scheduled before the wall clock went back. */
const retryAheadMsMax = 20 * 60_000;

/** Makes retries due that a clock which went back has left far ahead; lanes that were read before do not show them. */
export async function pullInRetries(store: Store, now: number): Promise<boolean> {
  return (await store.write((tables) => tables.queue.pullInRetries(now, now + retryAheadMsMax))) > 0;
}

/** Fails messages past their validity, lane by lane from the oldest. */
export async function expireOverdue(store: Store, lanes: Iterable<{ key: LaneKey }>, now: number): Promise<void> {
  for (const { key } of lanes) await untilDone(() => expireLane(store, key, now));
  await untilDone(() =>
    store.write((tables) => {
      const expired = tables.queue.retryingExpired(now, sliceRows);
      for (const message of expired) expire(tables, message, now);
      return expired.length;
    }),
  );
}

/** Runs slices until one is not full; each has its own transaction, so that other writes can run in between. */
async function untilDone(slice: () => Promise<number>): Promise<void> {
  while ((await slice()) === sliceRows);
}

function expireLane(store: Store, lane: LaneKey, now: number): Promise<number> {
  return store.write((tables) => {
    const expired = tables.queue.waiting(lane, laneStart, sliceRows).filter((message) => message.validUntil <= now);
    for (const message of expired) expire(tables, message, now);
    return expired.length;
  });
}

/** Applies the routes' policy to messages that a crash left `submitting`: the route may or may not have them. */
export async function recoverUncertain(store: Store, contextOf: (routeId: number) => OutcomeContext): Promise<void> {
  await untilDone(() =>
    store.write((tables) => {
      const left = tables.queue.submitting(sliceRows);
      for (const message of left) {
        const context = contextOf(message.routeId ?? 0);
        const reason = { code: "stopped_unanswered" } as const;
        tables.timeline.add(message.id, { at: context.now, kind: "uncertain", routeId: message.routeId, reason });
        unanswered(tables, message, context);
      }
      return left.length;
    }),
  );
}
