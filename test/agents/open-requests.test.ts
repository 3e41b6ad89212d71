/** A request with a token lasts no longer than the token. */
import { beforeEach, expect, test } from "bun:test";
import { OpenRequests, requestsOfHolderMax } from "../../src/agents/open-requests.ts";
import { createPendingChanges, rightOf } from "../support/agents.ts";
import { ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let isGood: boolean;
let requests: OpenRequests;
const right = rightOf();
const client = () => new AbortController().signal;

beforeEach(() => {
  clock = new ManualClock();
  isGood = true;
  requests = new OpenRequests({ standing: () => (isGood ? right : null) }, clock);
});

const endless = async () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("first")) }));

test("an answer that goes on is cut when its token ends", async () => {
  const answer = await requests.run(right, client(), endless);
  const reader = answer?.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  await clock.advance(5_000);
  expect(requests.count).toBe(1);
  isGood = false;
  await clock.advance(1_000);
  await expect(reader?.read() ?? Promise.resolve()).rejects.toThrow();
  expect(requests.count).toBe(0);
});

test("one that waits for something is told so", async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const waiting = requests.run(right, client(), async (signal) => {
    resolve(signal);
    await new Promise((ended) => signal.addEventListener("abort", ended, { once: true }));
    return new Response(null, { status: 401 });
  });
  await promise;
  isGood = false;
  await clock.advance(1_000);
  expect((await waiting)?.status).toBe(401);
});

test("a user, and all users of a customer together, have a number of requests under way, and the next one none", async () => {
  const ofClinic = (id: number) => ({ ...right, user: { ...right.user, id, accountId: 5 } });
  for (let n = 0; n < requestsOfHolderMax; n += 1)
    expect(await requests.run(ofClinic(10 + n), client(), endless)).not.toBeNull();
  expect(await requests.run(ofClinic(99), client(), endless)).toBeNull();
  for (let n = 0; n < requestsOfHolderMax; n += 1) expect(await requests.run(right, client(), endless)).not.toBeNull();
  expect(await requests.run(right, client(), endless)).toBeNull();
  requests.stop();
});

test("a program cannot pile up changes that wait, and an old one is gone", async () => {
  const pending = createPendingChanges(clock);
  const ask = (n: number, tokenId = 1, holder = "account 5") =>
    pending.add({
      ...{ tokenId, holder },
      userId: 1,
      name: "POST /messages",
      input: { n },
      change: { action: "message.send", target: "acc_1", state: null },
      would: [],
    });
  const asked = Array.from({ length: 30 }, (_, n) => ask(n));
  expect(asked.filter((one) => one !== null).length).toBe(20);
  const [first] = asked;
  await clock.advance(3_600_000);
  expect(pending.find(first?.id ?? "")).toBeNull();
  expect(ask(1)).not.toBeNull();
  for (const tokenId of [2, 3, 4, 5, 6]) for (let n = 0; n < 20; n += 1) ask(n, tokenId);
  expect([ask(99, 7), ask(1, 7, "user 9")]).toEqual([null, expect.objectContaining({ tokenId: 7 })]);
  for (let n = 0; n < 99; n += 1) {
    const added = ask(n, n, "account 8");
    if (added !== null) added.state = { kind: "rejected" };
  }
  expect(ask(1, 1, "account 8")).not.toBeNull();
  expect(ask(2, 1, "account 8")).toBeNull();
});
