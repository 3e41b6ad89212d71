/**
 * Handles what no event announces: a validity that ends while a route is down, and retries that a clock change left far
 * ahead.
 */
import { type LaneKey, laneStart } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import { expire } from "./claim.ts";
import { type OutcomeContext, unanswered } from "./submit-outcome.ts";

/** Rows per transaction: a few milliseconds. */
const sliceRows = 200;
/** No retry is ever scheduled further ahead; one that is was scheduled before the wall clock went back. */
const retryAheadMsMax = 20 * 60_000;

/**
 * Brings forward retries that are too far ahead and, unless the wall clock is in doubt, fails messages past their
 * validity, lane by lane from the oldest.
 */
export async function sweep(
  store: Store,
  lanes: Iterable<{ key: LaneKey }>,
  now: number,
  mayExpire: boolean,
): Promise<void> {
  store.tables.orphanReceipts.look();
  await store.write((tables) => tables.queue.pullInRetries(now, now + retryAheadMsMax));
  if (!mayExpire) return;
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
