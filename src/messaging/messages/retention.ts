/** How long messages, Idempotency-Keys and figures are kept. */
import { isoTime } from "../../platform/clock.ts";
import type { StubPeriod } from "../../store/message-stubs.ts";
import type { Store } from "../../store/store.ts";

export interface RetentionSettings {
  messageDays: number;
  idempotencyDays: number;
  rollupDays: number;
}

interface IndexPosition {
  fingerprint: number;
  requestId: number;
}

const dayMs = 24 * 3_600_000;
/** Unmatched receipts are kept for as long as a carrier may take to answer a submit, with a generous margin. */
const orphanReceiptDays = 3;
/** Carrier refusal codes are useful while their cause can still be found. */
const refusalDays = 90;
/** By then nearly every message has its receipt and no longer leaves its row of the figures. */
const rollupsChangeDays = 3;
/** The longest time a credential can have its keys remembered. */
const credentialKeyDays = 30;
/** Rows per transaction: two to four milliseconds. */
const sliceRows = 200;

/** Removes what is older than the settings allow; returns the number of messages removed. */
export async function forgetOld(store: Store, now: number, settings: RetentionSettings): Promise<number> {
  const stubs = stubPeriod(store, now, settings.idempotencyDays);
  const removed = await forgetMessages(store, now - settings.messageDays * dayMs, stubs);
  await forgetRollups(store, now, settings.rollupDays);
  await forgetKeys(store, now - settings.idempotencyDays * dayMs);
  await forgetCredentialKeys(store, now - credentialKeyDays * dayMs);
  await forgetStubs(store, stubs);
  while ((await store.write((tables) => tables.campaigns.prune(sliceRows))) > 0);
  await forgetSubmits(store, now, now - settings.messageDays * dayMs);
  await forgetOrphans(store, now - orphanReceiptDays * dayMs);
  if (removed > 0) await store.write((tables) => tables.retention.giveBackPages());
  return removed;
}

/** As long as the longest-lived key: those of credentials end after their own time, if there are any. */
export function stubPeriod(store: Store, now: number, idempotencyDays: number): StubPeriod {
  const days = store.tables.credentialRequests.hasAny()
    ? Math.max(idempotencyDays, credentialKeyDays)
    : idempotencyDays;
  return { since: now - days * dayMs };
}

async function forgetMessages(store: Store, before: number, stubs: StubPeriod): Promise<number> {
  // Messages that existed before an upgrade are counted first.
  if (store.tables.rollups.filledShare() < 1) return 0;
  let removed = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    const slice = await store.write((tables) => {
      const pruned = tables.retention.prune(from, before, sliceRows, stubs);
      if (pruned.removed > 0) tables.searchIndex.removed();
      return pruned;
    });
    removed += slice.removed;
    afterId = slice.nextId;
  }
  while (await store.write((tables) => tables.searchIndex.removeEmptyRun()));
  return removed;
}

async function forgetRollups(store: Store, now: number, days: number): Promise<void> {
  while (await store.write((tables) => tables.rollups.removeSlot(now - days * dayMs)));
  await store.write(({ refusals, inboundRules }) => {
    refusals.prune(now - refusalDays * dayMs);
    inboundRules.forgetDays(isoTime(now - days * dayMs).slice(0, 10));
  });
  while (await store.write((tables) => tables.rollups.trim(now - rollupsChangeDays * dayMs)));
}

async function forgetKeys(store: Store, before: number): Promise<void> {
  let forgotten = 0;
  for (let removed = sliceRows; removed === sliceRows; forgotten += removed) {
    removed = await store.write((tables) => tables.idempotency.prune(before, sliceRows));
  }
  if (forgotten === 0) return;
  let from: IndexPosition | null = { fingerprint: -1, requestId: -1 };
  while (from !== null) {
    const start: IndexPosition = from;
    from = await store.write((tables) => tables.idempotency.pruneIndex(start, sliceRows));
  }
  while (await store.write((tables) => tables.idempotency.pruneLots(sliceRows)));
}

async function forgetStubs(store: Store, { since }: StubPeriod): Promise<void> {
  while ((await store.write((tables) => tables.messages.stubs.prune(since, sliceRows))) === sliceRows);
}

async function forgetCredentialKeys(store: Store, before: number): Promise<void> {
  while ((await store.write((tables) => tables.credentialRequests.prune(before, sliceRows))) === sliceRows);
}

/** SMPP submits: receipts that nobody fetched are removed with their messages. */
async function forgetSubmits(store: Store, now: number, before: number): Promise<void> {
  if (!store.tables.smppSubmits.isUsed) return;
  while ((await store.write((tables) => tables.credentialDeliveries.prune(before, sliceRows))) === sliceRows);
  while (await store.write((tables) => tables.smppAssemblies.prune("whole", now - dayMs, sliceRows)));
  while (await store.write((tables) => tables.smppAssemblies.prune("incomplete", before, sliceRows)));
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    afterId = await store.write((tables) => tables.smppSubmits.prune(from, before, sliceRows));
  }
}

async function forgetOrphans(store: Store, before: number): Promise<void> {
  while ((await store.write((tables) => tables.orphanReceipts.prune(before, sliceRows))) === sliceRows);
}
