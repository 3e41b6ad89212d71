/** Moves what a backlog kept until quiet hours began to their end: it stays queued, in its order. */
import type { Store } from "../store/store.ts";
import type { Lane } from "./lane.ts";

/** Messages in one transaction: about two milliseconds. */
const sliceMessages = 256;

/** `quietUntil` of a lane: when its quiet hours end, null where there are none now. */
export async function moveQuiet(
  store: Store,
  lanes: Iterable<Lane>,
  now: number,
  quietUntil: (lane: Lane) => number | null,
): Promise<void> {
  for (const lane of [...lanes]) {
    const until = quietUntil(lane);
    if (until === null || !store.tables.queue.holdsReady(lane.key, now)) continue;
    let moved = sliceMessages;
    while (moved === sliceMessages) {
      moved = await store.write(({ queue }) => queue.postpone(lane.key, now, until, sliceMessages));
    }
    // What waits for its next attempt stays due, and is held.
    lane.rewind();
  }
}
