/** Inbound messages for the operator: a search across all accounts, single messages, and backlog counts. */

import { nextTurn } from "../platform/next-turn.ts";
import type { InboundRow } from "../store/inbound.ts";
import type { FoundInbound, InboundFilter } from "../store/inbound-search.ts";
import type { Store } from "../store/store.ts";

/** Rows that one step of a search reads: 10,000 take about 10 ms, and other requests are served in between. */
const stepRows = 10_000;
/** A longer search returns early, with the id to continue from. */
const searchMsMax = 2_000;
/** Counts stop here. */
export const countedMax = 1_000;

export interface InboundSearchPage {
  messages: FoundInbound[];
  /** Ids below it were not searched; null if there are none. */
  continueBefore: number | null;
}

export interface InboundOverview {
  /** Messages that no line assigns to an account; 1,000 means 1,000 or more. */
  unmapped: number;
  /** Long messages whose missing parts may still come. */
  waitingForParts: number;
}

export function inboundService(store: Store, clock: { monotonic(): number }) {
  const { inboundSearch, inbound, inboundParts } = store.tables;
  return {
    /** Newest first. Returns what it found within its time, possibly nothing yet. */
    async search(filter: InboundFilter, before: number | null, limit: number): Promise<InboundSearchPage> {
      const startedAt = clock.monotonic();
      const messages: FoundInbound[] = [];
      let end = before ?? inboundSearch.end();
      while (end > 1 && clock.monotonic() - startedAt < searchMsMax) {
        const first = Math.max(end - stepRows, 1);
        messages.push(...inboundSearch.slice(filter, first, end, limit - messages.length));
        if (messages.length >= limit) return { messages, continueBefore: messages.at(-1)?.id ?? null };
        end = first;
        await nextTurn();
      }
      return { messages, continueBefore: end > 1 ? end : null };
    },

    byCode: (trackingCode: string): InboundRow | null => inbound.byCode(trackingCode),

    overview: (): InboundOverview => ({
      unmapped: inboundSearch.unmappedCount(countedMax),
      waitingForParts: inboundParts.openCount(),
    }),
  };
}
