/** The slices of very large requests: what is counted of them, and what becomes of them if the disk or the service stops. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { Stager } from "../../src/messaging/messages/staging.ts";
import { silentLog } from "../../src/platform/log.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import type { Store } from "../../src/store/store.ts";
import { callerAt } from "../support/caller.ts";
import { until } from "../support/manual-clock.ts";
import { figuresIn } from "../support/rollups.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let released: number[] = [];
let logged: unknown[][] = [];
beforeEach(async () => {
  server = await createTestServer();
  [released, logged] = [[], []];
});
afterEach(() => server.stop());

/** Three slices. */
const count = 600;
const log = { ...silentLog, error: (...said: unknown[]) => void logged.push(said) };

const stagerOn = (store: Store) =>
  new Stager({
    ...{ store, clock: server.clock, log },
    accepted: (waiting) => void released.push(...waiting.map(({ id }) => id)),
  });

/** Its writes fail while `failure` returns something; asked before each, from the first on. */
const storeWith = (failure: (write: number) => Error | null): Store => {
  let writes = 0;
  return {
    ...server.store,
    write: (change) => {
      writes += 1;
      const reason = failure(writes);
      return reason === null ? server.store.write(change) : Promise.reject(reason);
    },
  };
};
/** Reserving, three slices, publishing. */
const writesUntilAccepted = 5;
const full = () => new StoreUnavailable(new Error("full"));

function send(stager: Stager, instead: string | null = null) {
  const caller = callerAt(server.clock.now());
  const draft = {
    ...{ sender: senderOf(1), recipient: "+989120000010", text: "a", clientReference: null },
    ...{ class: messageClasses.bulk, sendAt: null },
  };
  const build = (_: number, wanted: number) =>
    Array.from({ length: wanted }, () => server.acceptor.rowOf(caller, draft));
  return stager.store(count, caller, build, () => instead);
}

const visible = () => server.store.tables.messages.run(1, 10_000).length;
const ids = Array.from({ length: count }, (_, index) => index + 1);

test("the figures count the messages of a run once it is accepted", async () => {
  const stager = stagerOn(server.store);
  expect(await send(stager)).toMatchObject({ firstMessageId: 1, messageCount: count });
  await stager.settled();
  const { rollups, counted } = figuresIn(server.folder);
  expect(rollups).toEqual(counted);
  expect(released).toEqual(ids);
});

test("a run that was refused at its end leaves nothing, in the figures neither", async () => {
  const stager = stagerOn(server.store);
  expect(await send(stager, "refused")).toEqual({ instead: "refused" });
  await stager.settled();
  expect([visible(), released, server.store.tables.stagedRuns.all()]).toEqual([0, [], []]);
  await server.send();
  expect(visible()).toBe(1);
  const { rollups, counted } = figuresIn(server.folder);
  expect(rollups).toEqual(counted);
});

test("a disk that refuses before a run is accepted leaves nothing of it, once it takes writes again", async () => {
  for (const failing of [2, writesUntilAccepted]) {
    const stager = stagerOn(storeWith((write) => (write === failing || write === failing + 1 ? full() : null)));
    await expect(send(stager)).rejects.toBeInstanceOf(StoreUnavailable);
    await until(() => logged.length === 1);
    expect(logged.splice(0)).toEqual([[{ err: expect.any(StoreUnavailable) }, "a run of messages waits for the disk"]]);
    await server.clock.advance(1_000);
    await stager.settled();
    expect([visible(), released, server.store.tables.stagedRuns.all()]).toEqual([0, [], []]);
  }
});

test("a disk that refuses what was accepted is asked again each second, until all messages are queued", async () => {
  let isFull = true;
  const stager = stagerOn(storeWith((write) => (write > writesUntilAccepted + 1 && isFull ? full() : null)));
  await send(stager);
  await until(() => logged.length === 1);
  expect(released).toEqual(ids.slice(0, 256));
  await server.clock.advance(999);
  expect(logged).toHaveLength(1);
  await server.clock.advance(1);
  await until(() => logged.length === 2);
  isFull = false;
  await server.clock.advance(1_000);
  await stager.settled();
  expect(released).toEqual(ids);
});

test("a stop does not wait for the disk; the next start queues the rest", async () => {
  const stager = stagerOn(storeWith((write) => (write > writesUntilAccepted + 1 ? full() : null)));
  await send(stager);
  await until(() => logged.length === 1);
  await stager.stop();
  expect(released).toEqual(ids.slice(0, 256));
  const next = stagerOn(server.store);
  next.recover();
  await next.settled();
  expect(released).toEqual(ids);
  expect(logged).toHaveLength(1);
});

test("what fails otherwise is a defect, which is logged with its work", async () => {
  const broken = (write: number) => (write > writesUntilAccepted ? new TypeError("a defect") : null);
  const accepted = stagerOn(storeWith(broken));
  await send(accepted);
  await accepted.settled();
  const refused = stagerOn(storeWith(broken));
  await send(refused, "refused");
  await refused.settled();
  expect(logged.map(([fields]) => fields)).toEqual([
    { err: expect.any(TypeError), work: "release a run of messages" },
    { err: expect.any(TypeError), work: "discard a run of messages" },
  ]);
});

test("a run without a last message is a defect of its caller", async () => {
  const stager = stagerOn(server.store);
  const sending = stager.store(
    3,
    callerAt(server.clock.now()),
    () => [],
    () => null,
  );
  await expect(sending).rejects.toThrow("A run of 3 messages has no last one");
  expect(server.store.tables.stagedRuns.all()).toEqual([]);
});
