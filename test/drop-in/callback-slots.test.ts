/** Slots of callbacks that came with messages: hanging hosts occupy some of their own credential's, and none of a webhook's. */
import { expect, test } from "bun:test";
import { createSealer, newKey } from "../../src/platform/seal.ts";
import { resealDatabase } from "../../src/store/reseal.ts";
import { openStore } from "../../src/store/store.ts";
import type { WebhookRow } from "../../src/store/webhooks.ts";
import { ConcurrencyLimiter } from "../../src/webhooks/concurrency-limiter.ts";
import { WebhookQueue } from "../../src/webhooks/webhook-queues.ts";
import { temporaryFolder } from "../support/test-server.ts";

const limits = { attemptsMax: 16, attemptsOfQueueMax: 2, attemptsOfGroupMax: 4 };

function queueOf(id: number, credentialId: number): WebhookQueue {
  const row: WebhookRow = {
    id,
    publicId: `w-${id}`,
    accountId: 1,
    url: `https://host-${id}.example.com`,
    events: [],
    active: true,
    sealedSecret: new Uint8Array(),
    nextSealedSecret: null,
    nextSecretFrom: null,
    stoppedThrough: 0,
    isSlow: false,
    failingSince: null,
    failedAt: null,
    switchedOffAt: null,
    credentialId,
    createdAt: 0,
    updatedAt: 0,
    removedAt: null,
  };
  return new WebhookQueue(row, { present: "", next: null });
}

test("a thousand hanging hosts of ten credentials hold sixteen slots, four for each; a freed one goes to who waits", () => {
  const limiter = new ConcurrencyLimiter(limits);
  const queues = Array.from({ length: 1_000 }, (_, index) => queueOf(index + 1, (index % 10) + 1));
  for (const queue of queues) limiter.enqueue(queue);
  const held = new Map<number, number>();
  const frees: (() => void)[] = [];
  const fill = () => {
    for (let queue = limiter.next(); queue !== null; queue = limiter.next()) {
      held.set(queue.group, (held.get(queue.group) ?? 0) + 1);
      frees.push(limiter.acquire(queue));
    }
  };
  fill();
  expect(limiter.inFlight).toBe(16);
  expect(Math.max(...held.values())).toBeLessThanOrEqual(4);
  // All get their turn, though each hangs until the next begins.
  let begun = frees.length;
  for (let free = frees.shift(); free !== undefined; free = frees.shift()) {
    free();
    fill();
    begun = Math.max(
      begun,
      [...held.values()].reduce((sum, count) => sum + count, 0),
    );
  }
  expect(begun).toBe(1_000);
  expect(limiter.inFlight).toBe(0);
});

test("one credential's hosts leave twelve slots to others", () => {
  const limiter = new ConcurrencyLimiter(limits);
  for (let id = 1; id <= 100; id += 1) limiter.enqueue(queueOf(id, 1));
  let begun = 0;
  for (let queue = limiter.next(); queue !== null; queue = limiter.next()) {
    limiter.acquire(queue);
    begun += 1;
  }
  expect(begun).toBe(4);
  const other = queueOf(101, 2);
  limiter.enqueue(other);
  expect(limiter.next()).toBe(other);
});

test("a rotated key seals the URLs of callbacks anew, in slices", async () => {
  const { path: folder, remove } = temporaryFolder();
  const [old, fresh] = [newKey(), newKey()];
  const store = openStore({ folder, now: 0 });
  await store.write(({ messageCallbacks }) => {
    for (let messageId = 1; messageId <= 10_001; messageId += 1) {
      const sealed = createSealer(old).seal(`{"url":"https://x.example.com/${messageId}"}`);
      messageCallbacks.insert({ messageId, webhookId: 1, protocol: "kannel", mask: 1, sealed });
    }
  });
  store.close();
  const deps = { sealer: createSealer(old, fresh), hashKeys: new Map<string, Uint8Array>(), progress: () => {} };
  expect(resealDatabase(folder, 0, deps)).toEqual({ resealed: 10_001, unreadable: 0 });
  const reopened = openStore({ folder, now: 0 });
  for (const messageId of [1, 10_000, 10_001]) {
    const row = reopened.tables.messageCallbacks.of(messageId);
    expect(createSealer(fresh).open(row?.sealed ?? new Uint8Array())).toContain(`/${messageId}"`);
  }
  reopened.close();
  remove();
});
