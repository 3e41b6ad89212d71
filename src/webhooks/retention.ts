/** How long events and their deliveries are kept. */
import type { Store } from "../store/store.ts";

const dayMs = 24 * 3_600_000;
/** Events in one transaction: a few milliseconds. */
const sliceEvents = 200;

/** Forgets what is older; resolves with how many events went. */
export async function forgetOldEvents(store: Store, now: number, days: number): Promise<number> {
  let removed = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    const slice = await store.write((tables) => tables.eventRetention.prune(from, now - days * dayMs, sliceEvents));
    removed += slice.removed;
    afterId = slice.nextId;
  }
  return removed;
}
