/** Where receipts come in: those of one turn of the event loop are stored together, after the answers of the same turn. */
import type { Receipt } from "../providers/provider.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";
import { type ReceiptEffect, takeReceipt } from "./receipts.ts";

interface Arrival {
  routeId: number;
  receipt: Receipt;
  stored(effect: ReceiptEffect): void;
  refused(reason: unknown): void;
}

export type ReceiptIntake = ReturnType<typeof receiptIntake>;

/**
 * A carrier's packet holds answers and the receipts of the same messages. An answer passes through promises before its write is
 * handed in, a receipt would not: stored at once, each would come before its own answer, wait as an orphan and be joined
 * again, which cost a seventh of all the work. So receipts wait until everything else of the turn is handed in.
 */
export function receiptIntake(store: Store, clock: { now(): number }) {
  let arrivals: Arrival[] = [];

  async function storeAll(group: readonly Arrival[]): Promise<void> {
    try {
      const now = clock.now();
      const effects = await store.write((tables) =>
        group.map(({ routeId, receipt }) => takeReceipt(tables, routeId, receipt, now)),
      );
      for (const [index, effect] of effects.entries()) group[index]?.stored(effect);
    } catch (reason) {
      if (group.length === 1 || reason instanceof StoreUnavailable) for (const { refused } of group) refused(reason);
      // One of them cannot be stored: the others must not suffer for it.
      else for (const arrival of group) void storeAll([arrival]);
    }
  }

  return {
    /** Resolves when the receipt is on disk: only then may it be acknowledged. Rejects with what the store said. */
    take(routeId: number, receipt: Receipt): Promise<ReceiptEffect> {
      return new Promise((stored, refused) => {
        arrivals.push({ routeId, receipt, stored, refused });
        if (arrivals.length > 1) return;
        setImmediate(() => {
          const group = arrivals;
          arrivals = [];
          void storeAll(group);
        });
      });
    },
  };
}
