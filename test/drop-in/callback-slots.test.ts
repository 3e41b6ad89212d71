/** Slots of callbacks that came with messages: hanging hosts occupy some of their own account's, and none of a webhook's. */
import { expect, test } from "bun:test";
import { attemptsAtOnceMax } from "../../src/domain/attempt-width.ts";
import { messageCallbackLimits } from "../../src/drop-in/message-callbacks.ts";
import { createSealer, newKey } from "../../src/platform/seal.ts";
import { resealDatabase } from "../../src/store/reseal.ts";
import { openStore } from "../../src/store/store.ts";
import type { WebhookRow } from "../../src/store/webhooks.ts";
import { ConcurrencyLimiter, webhookLimits } from "../../src/webhooks/concurrency-limiter.ts";
import { WebhookQueue } from "../../src/webhooks/webhook-queues.ts";
import { temporaryFolder } from "../support/test-server.ts";

function queueOf(id: number, credentialId: number, accountId = 1): WebhookQueue {
  const row: WebhookRow = {
    id,
    publicId: `w-${id}`,
    accountId,
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

/** Begins whatever may begin. */
function begin(limiter: ConcurrencyLimiter) {
  const begun: { queue: WebhookQueue; free: () => void }[] = [];
  for (let queue = limiter.next(); queue !== null; queue = limiter.next()) {
    begun.push({ queue, free: limiter.acquire(queue) });
    limiter.enqueue(queue);
  }
  return begun;
}

/** A thousand hosts of twenty credentials. */
const thousand = (accountId: number) =>
  Array.from({ length: 1_000 }, (_, index) =>
    queueOf(accountId * 1_000 + index, accountId * 100 + (index % 20), accountId),
  );

function limiterWith(queues: readonly WebhookQueue[]): ConcurrencyLimiter {
  const limiter = new ConcurrencyLimiter(messageCallbackLimits);
  for (const queue of queues) limiter.enqueue(queue);
  return limiter;
}

test("a thousand hanging hosts of an account take half of the slots, and another account's callback starts at once", () => {
  const limiter = limiterWith(thousand(1));
  const held = begin(limiter);
  expect(held).toHaveLength(16);
  const of = (group: number) => held.filter(({ queue }) => queue.group === group).length;
  expect(Math.max(...held.map(({ queue }) => of(queue.group)))).toBeLessThanOrEqual(4);
  for (const account of [2, 3, 4]) {
    const good = queueOf(account, account, account);
    limiter.enqueue(good);
    expect(begin(limiter).map(({ queue }) => queue)).toEqual([good, good]);
  }
});

test("accounts take turns, and so do the credentials of one account", () => {
  const limiter = limiterWith([...thousand(1), ...thousand(2)]);
  const first = begin(limiter);
  expect(first.map(({ queue }) => queue.accountId).slice(0, 20)).toEqual(
    Array.from({ length: 20 }, (_, at) => 1 + (at % 2)),
  );
  const ofOne = first.filter(({ queue }) => queue.accountId === 1).map(({ queue }) => queue.group);
  expect(new Set(ofOne).size).toBe(ofOne.length);
  // An account whose thousand hosts hang gives its place up at the end of each.
  const order: number[] = [];
  for (let freed = first.shift(); order.length < 200 && freed !== undefined; freed = first.shift()) {
    freed.free();
    const next = begin(limiter);
    order.push(...next.map(({ queue }) => queue.accountId));
    first.push(...next);
  }
  const share = order.filter((account) => account === 2).length / order.length;
  expect(share).toBeGreaterThan(0.3);
});

test("twenty webhooks of an account with all their concurrent attempts leave slots for every other account", () => {
  const limiter = new ConcurrencyLimiter(webhookLimits);
  const widened = (id: number, accountId: number) => {
    const queue = queueOf(id, 0, accountId);
    queue.attemptsAtOnce = attemptsAtOnceMax;
    return queue;
  };
  const busy = Array.from({ length: 20 }, (_, index) => widened(index, 1));
  for (const queue of busy) limiter.enqueue(queue);
  const held = begin(limiter);
  expect(held).toHaveLength(32);
  // The account's webhooks took turns, so that none of them has more than its share.
  expect(Math.max(...busy.map(({ inFlight }) => inFlight))).toBe(2);
  for (const account of [2, 3, 4, 5, 6]) {
    const other = widened(100 + account, account);
    limiter.enqueue(other);
    const begun = begin(limiter);
    expect(begun[0]?.queue).toBe(other);
    expect(begun.every(({ queue }) => queue === other)).toBe(true);
  }
  // What ends of the busy account goes to whoever waits, in turn.
  for (const { free } of held.splice(0, 16)) free();
  for (const queue of busy) limiter.enqueue(queue);
  const accounts = begin(limiter).map(({ queue }) => queue.accountId);
  expect(new Set(accounts).size).toBeGreaterThan(3);
});

test("each of a thousand hanging hosts gets its turn, with two attempts at once at most", () => {
  const limiter = limiterWith(thousand(1));
  const reached = new Set<WebhookQueue>();
  const held = begin(limiter);
  for (let freed = held.shift(); reached.size < 1_000 && freed !== undefined; freed = held.shift()) {
    reached.add(freed.queue);
    expect(freed.queue.inFlight).toBeLessThanOrEqual(2);
    freed.free();
    held.push(...begin(limiter));
  }
  expect(reached.size).toBe(1_000);
});

test("the hosts of one credential take four slots, and leave the others to the account's other credentials", () => {
  const limiter = limiterWith(Array.from({ length: 100 }, (_, index) => queueOf(index + 1, 1)));
  expect(begin(limiter)).toHaveLength(4);
  const other = queueOf(101, 2);
  limiter.enqueue(other);
  expect(limiter.next()).toBe(other);
});

test("a queue whose receiver asked for less while it waited begins no more", () => {
  const [asked, other] = [queueOf(1, 0), queueOf(2, 0)];
  const limiter = new ConcurrencyLimiter(webhookLimits);
  for (const queue of [asked, other]) {
    queue.attemptsAtOnce = attemptsAtOnceMax;
    limiter.enqueue(queue);
  }
  const begun = begin(limiter);
  expect([asked, other].map(({ isWaiting }) => isWaiting)).toEqual([true, true]);
  asked.attemptsAtOnce = 1;
  const isOfAsked = ({ queue }: { queue: WebhookQueue }) => queue === asked;
  const ended = begun.filter(isOfAsked);
  for (const { free } of ended.splice(0, 4)) free();
  const next = begin(limiter);
  expect([next.length, next.filter(isOfAsked).length]).toEqual([4, 0]);
  for (const { free } of ended) free();
  limiter.enqueue(asked);
  expect(begin(limiter).filter(isOfAsked)).toHaveLength(1);
});

test("a rotated key seals callback URLs again, in slices", async () => {
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
