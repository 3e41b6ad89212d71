/** An account's inbound messages, page by page, in the order in which they became available. */

import { LoopTurns } from "../platform/loop-turns.ts";
import type { AvailableInbound, InboxFilter } from "../store/inbound.ts";
import type { Store } from "../store/store.ts";

export interface InboxPage {
  messages: AvailableInbound[];
  /** Everything up to this position has been read. */
  through: number;
  hasMore: boolean;
}

/** Positions that the first step reads, at once: enough for a page that all match. */
const firstPositions = 1_000;
/** Positions that each further step reads, one step in a turn of the event loop: 10,000 take about 10 ms. */
const stepPositions = 10_000;
/** A page that takes longer to fill ends early, with the position to continue from. */
const readMsMax = 2_000;

export type Inbox = ReturnType<typeof inbox>;

/**
 * Positions are assigned in commit order and never reused, so a reader that continues from `through` misses nothing,
 * whatever arrives, becomes available or is deleted meanwhile.
 */
export function inbox(store: Store, clock: { monotonic(): number }) {
  const { inbound } = store.tables;
  /** Accounts take turns, however many requests of each are looking for something. */
  const turns = new LoopTurns();

  return {
    lastPosition: (accountId: number): number => inbound.lastPosition(accountId),

    /** Up to `limit` messages after the position `after` that match the filter. */
    async read(accountId: number, after: number, filter: InboxFilter, limit: number): Promise<InboxPage> {
      const startedAt = clock.monotonic();
      const messages: AvailableInbound[] = [];
      let through = after;
      for (let positions = firstPositions; ; positions = stepPositions) {
        const next = inbound.nextAfter(accountId, through);
        if (next === null) return { messages, through, hasMore: false };
        if (clock.monotonic() - startedAt > readMsMax) return { messages, through, hasMore: true };
        const end = Math.min(next + positions - 1, inbound.lastPosition(accountId));
        // One extra shows whether there are more.
        const found = inbound.slice(accountId, next - 1, end, filter, limit - messages.length + 1);
        const taken = found.slice(0, limit - messages.length);
        messages.push(...taken);
        if (found.length > taken.length) return { messages, through: taken.at(-1)?.position ?? through, hasMore: true };
        through = end;
        if (through < inbound.lastPosition(accountId)) await turns.next(accountId);
      }
    },
  };
}
