/** Handles what no event announces: a validity that ends while a route is down, and a clock that went back. */
import { nextTurn } from "../platform/next-turn.ts";
import { type LaneKey, laneStart, type QueuePosition, type WaitingTimes } from "../store/queue.ts";
import type { Store, Tables } from "../store/store.ts";
import { expire } from "./claim.ts";
import type { Lane } from "./lane.ts";
import { type OutcomeContext, unanswered } from "./submit-outcome.ts";

/** Rows per transaction: a few milliseconds. */
const sliceRows = 200;
/** No retry is ever scheduled further ahead; one that is was scheduled before the wall clock went back. */
const retryAheadMsMax = 20 * 60_000;
/** A group's messages are due when they are published, soon after their acceptance. */
const publishMsMax = 10 * 60_000;
const dayMs = 24 * 3_600_000;

/** Makes retries due that a clock which went back has left far ahead; lanes that were read before do not show them. */
export async function pullInRetries(store: Store, now: number): Promise<boolean> {
  return (await store.write((tables) => tables.queue.pullInRetries(now, now + retryAheadMsMax))) > 0;
}

/**
 * Makes messages due that were to go at once when a clock that was ahead accepted them: after a restart nothing else
 * shows it. Those held by quiet hours wait for the same time of an earlier day.
 */
export async function pullInAccepted(
  store: Store,
  lanes: Iterable<Lane>,
  now: number,
  isOver: () => boolean,
): Promise<void> {
  const later = { after: { dueAt: now, id: Number.MAX_SAFE_INTEGER }, until: Number.MAX_SAFE_INTEGER };
  for (const lane of lanes) {
    for await (const slice of waitingSlices(store, lane.key, later, isOver)) {
      const ahead = slice.filter(({ submittedAt }) => submittedAt > now);
      if (ahead.length === 0) continue;
      await store.write(({ queue }) => {
        for (const { id, dueAt, submittedAt } of ahead) {
          // Due before it was accepted: it was moved at an earlier start.
          const isHeld = dueAt < submittedAt || dueAt - submittedAt >= publishMsMax;
          const waitMs = isHeld ? (dueAt - now) % dayMs : 0;
          queue.pullIn({ id, dueAt: now + waitMs });
        }
      });
      lane.rewind();
    }
  }
}

/** Fails messages past their validity, which those accepted later may reach first. Stops early once `isOver`. */
export async function expireOverdue(
  store: Store,
  lanes: Iterable<{ key: LaneKey }>,
  now: number,
  isOver: () => boolean,
): Promise<void> {
  for (const { key } of lanes) {
    // No validity ends before its message is due.
    for await (const slice of waitingSlices(store, key, { after: laneStart, until: now }, isOver)) {
      const overdue = slice.filter(({ validUntil }) => validUntil <= now);
      if (overdue.length > 0) await store.write((tables) => expireWaiting(tables, overdue, now));
    }
  }
  await untilDone(() =>
    store.write((tables) => {
      const expired = tables.queue.retryingExpired(now, sliceRows);
      for (const message of expired) expire(tables, message, now);
      return expired.length;
    }),
  );
}

/** The waiting messages of a lane that are due after `after` and by `until`, a slice in each turn of the event loop. */
async function* waitingSlices(
  store: Store,
  lane: LaneKey,
  { after, until }: { after: QueuePosition; until: number },
  isOver: () => boolean,
): AsyncGenerator<WaitingTimes[]> {
  for (let from: QueuePosition | undefined = after; from !== undefined && !isOver(); ) {
    const slice: WaitingTimes[] = store.tables.queue.times(lane, from, until, sliceRows);
    from = slice.length === sliceRows ? slice.at(-1) : undefined;
    yield slice;
    await nextTurn();
  }
}

function expireWaiting(tables: Tables, overdue: readonly QueuePosition[], now: number): void {
  for (const { id } of overdue) {
    const message = tables.messages.byId(id);
    // It may have been claimed or cancelled since it was looked at.
    if (message !== null && message.dueAt !== null && message.validUntil <= now) expire(tables, message, now);
  }
}

/** Runs slices until one is not full; each has its own transaction, so that other writes can run in between. */
async function untilDone(slice: () => Promise<number>): Promise<void> {
  while ((await slice()) === sliceRows);
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
