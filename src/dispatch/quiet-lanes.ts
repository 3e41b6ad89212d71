/** Moves messages that a backlog delayed into quiet hours to the end of those hours: they stay queued, in order. */
import type { Store } from "../store/store.ts";
import type { Lane } from "./lane.ts";

/** Messages per transaction: about two milliseconds. */
const sliceMessages = 256;

/** `quietUntil` of a lane: when its quiet hours end; null if it has none now. */
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
    // Messages waiting for a retry stay due, and are held.
    lane.rewind();
  }
}
