/** Deletes inbound messages after their retention, counted from when they became available, and expired fingerprints. */
import type { Store } from "../store/store.ts";

const dayMs = 24 * 3_600_000;
/** Rows in one transaction: a few milliseconds. */
const sliceRows = 200;

/** `steadyNow`: the steady time, by which fingerprints expire. Returns how many messages were deleted. */
export async function forgetOldInbound(
  store: Store,
  now: number,
  steadyNow: number,
  retentionDays: number,
): Promise<number> {
  const before = now - retentionDays * dayMs;
  let removed = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    const slice = await store.write((tables) => tables.inbound.prune(from, before, sliceRows));
    removed += slice.removed;
    afterId = slice.nextId;
  }
  while ((await store.write((tables) => tables.inboundRepeats.prune(steadyNow, sliceRows))) === sliceRows);
  if (removed > 0) await store.write((tables) => tables.retention.giveBackPages());
  return removed;
}
