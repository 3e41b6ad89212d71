/** An account's inbound messages, page by page, in the order in which they became available. */

import { nextTurn } from "../platform/next-turn.ts";
import type { AvailableInbound, InboxFilter } from "../store/inbound.ts";
import type { Store } from "../store/store.ts";

export interface InboxPage {
  messages: AvailableInbound[];
  /** Everything up to this position has been read. */
  through: number;
  hasMore: boolean;
}

/** Positions that one step reads: 10,000 take about 10 ms, and other requests are served in between. */
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

  return {
    lastPosition: (accountId: number): number => inbound.lastPosition(accountId),

    /** Up to `limit` messages after the position `after` that match the filter. */
    async read(accountId: number, after: number, filter: InboxFilter, limit: number): Promise<InboxPage> {
      const startedAt = clock.monotonic();
      const messages: AvailableInbound[] = [];
      let through = after;
      for (;;) {
        const next = inbound.nextAfter(accountId, through);
        if (next === null) return { messages, through, hasMore: false };
        if (clock.monotonic() - startedAt > readMsMax) return { messages, through, hasMore: true };
        const end = Math.min(next + stepPositions - 1, inbound.lastPosition(accountId));
        // One extra shows whether there are more.
        const found = inbound.slice(accountId, next - 1, end, filter, limit - messages.length + 1);
        const taken = found.slice(0, limit - messages.length);
        messages.push(...taken);
        if (found.length > taken.length) return { messages, through: taken.at(-1)?.position ?? through, hasMore: true };
        through = end;
        if (through < inbound.lastPosition(accountId)) await nextTurn();
      }
    },
  };
}
