/** Callbacks that fail: the retry schedule, Retry-After, timeouts, and a disk that refuses. */
import { afterEach, describe, expect, test } from "bun:test";
import {
  attemptsAt,
  callbackFixtures,
  createCleanUp,
  headerOf,
  ok,
  silent,
  status,
  urlOf,
} from "../support/callbacks.ts";
import { ManualClock, until } from "../support/manual-clock.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

describe("a failed callback", () => {
  test("with 500 is repeated after ten seconds as the same event, with a fresh timestamp", async () => {
    const receiver = await startReceiver((socket, request) =>
      (receiver.requests.length === 1 ? status("500 Oops") : ok)(socket, request),
    );
    const { register, addMessage, clock, states } = await startServer([receiver]);
    const { rowId } = await register(urlOf(receiver));
    await addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 1);
    await clock.advance(9_999);
    expect(receiver.requests.length).toBe(1);
    await clock.advance(1);
    await until(() => states(rowId)[0] === "delivered");
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body ?? "");
    const stamps = receiver.requests.map((request) => Number(headerOf("X-Service-Timestamp", request)));
    expect((stamps[1] ?? 0) - (stamps[0] ?? 0)).toBe(10);
  });

  test.each([
    ["fails", status("500 Oops"), 500],
    ["is accepted", ok, 200],
  ])("that %s is the last one of its webhook also before a backlog that was not tried yet", async (_, answer, code) => {
    const receiver = await startReceiver((socket, request) =>
      (receiver.requests.length <= 5 ? answer : silent)(socket, request),
    );
    const { register, addMessage, store } = await startServer([receiver]);
    const { rowId } = await register(urlOf(receiver));
    const { deliveryLog } = store.tables;
    const attempts = () =>
      deliveryLog.ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 100).map(({ id }) => deliveryLog.attemptsOf(id));
    expect(deliveryLog.lastAttempt(rowId, 20)).toBeNull();
    for (let added = 0; added < 5; added += 1) await addMessage(["cancelled"]);
    await until(() => attempts().flat().length === 5);
    for (let added = 0; added < 60; added += 1) await addMessage(["cancelled"]);
    expect(attempts().slice(0, 20).flat()).toEqual([]);
    const times = attempts().flatMap((of) => of.map(({ at }) => at));
    expect(deliveryLog.lastAttempt(rowId, 20)).toMatchObject({ at: Math.max(...times), status: code });
  });

  test("is attempted eight times on schedule and then fails for good, and each attempt is recorded", async () => {
    const receiver = await startReceiver(
      (socket) => void socket.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nlate"),
    );
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["cancelled"]);
    for (const [index, seconds] of [10, 30, 120, 480, 1_800, 3_600, 3_600].entries()) {
      await until(() => attemptsAt(server, rowId).attempts.length === index + 1);
      expect(attemptsAt(server, rowId).delivery.dueAt).toBe(server.clock.now() + seconds * 1_000);
      await server.clock.advance(seconds * 1_000);
    }
    await until(() => server.states(rowId)[0] === "failed");
    const { attempts, delivery } = attemptsAt(server, rowId);
    expect(attempts.map(({ number, status, failure }) => [number, status, failure])).toEqual(
      Array.from({ length: 8 }, (_, index) => [index + 1, 503, "status"]),
    );
    expect(attempts[0]).toMatchObject({ address: "127.0.0.1", detail: "" });
    expect(Buffer.from(attempts[0]?.excerpt ?? []).toString()).toBe("late");
    expect(delivery).toMatchObject({ state: "failed", dueAt: null, attempts: 8, endedAt: server.clock.now() });
    await server.clock.advance(100_000_000);
    expect(new Set(receiver.requests.map((request) => headerOf("X-Service-Event-Id", request))).size).toBe(1);
    expect(receiver.requests.length).toBe(8);
  });

  for (const line of ["301 Moved\r\nLocation: https://10.0.0.1/", "304 Not Modified", "410 Gone", "404 Not Found"]) {
    test(`with ${line.split("\r")[0]} is tried again`, async () => {
      const receiver = await startReceiver(status(line));
      const server = await startServer([receiver]);
      const { rowId } = await server.register(urlOf(receiver));
      await server.addMessage(["cancelled"]);
      await until(() => attemptsAt(server, rowId).attempts.length === 1);
      expect(attemptsAt(server, rowId).delivery.state).toBe("waiting");
    });
  }

  const retryAfters: Record<string, [string, number]> = {
    "seconds beyond the schedule": ["120", 120],
    "seconds short of the schedule": ["3", 10],
    "a date": ["DATE+300", 300],
    "a date that has passed": ["DATE-300", 10],
    "more than an hour": ["86400", 3_600],
    nonsense: ["soon", 10],
    negative: ["-5", 10],
  };
  for (const [what, [value, seconds]] of Object.entries(retryAfters)) {
    test(`with 429 and a Retry-After of ${what} waits accordingly`, async () => {
      const clock = new ManualClock();
      const dated = value.startsWith("DATE")
        ? new Date(clock.now() + Number(value.slice(4)) * 1_000).toUTCString()
        : value;
      const receiver = await startReceiver(status(`429 Slow down\r\nRetry-After: ${dated}`));
      const server = await startServer([receiver], { clock });
      const { rowId } = await server.register(urlOf(receiver));
      await server.addMessage(["cancelled"]);
      await until(() => attemptsAt(server, rowId).attempts.length === 1);
      expect(attemptsAt(server, rowId).delivery.dueAt).toBe(clock.now() + seconds * 1_000);
    });
  }

  test("without an answer takes its slot for ten seconds, and is recorded as a timeout", async () => {
    const receiver = await startReceiver(silent);
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 1);
    await server.clock.advance(9_999);
    expect(server.deliverer.inFlight).toBe(1);
    await server.clock.advance(1);
    await until(() => attemptsAt(server, rowId).attempts.length === 1);
    expect(server.deliverer.inFlight).toBe(0);
    expect(attemptsAt(server, rowId).attempts[0]).toMatchObject({
      failure: "timeout",
      status: null,
      durationMs: 10_000,
    });
  });

  test("whose outcome the disk refuses is recorded later, without sending the event again", async () => {
    const receiver = await startReceiver(ok);
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    const { outbox } = server.store.tables;
    const settle = outbox.settle;
    let refusals = 2;
    outbox.settle = (...args) => {
      refusals -= 1;
      if (refusals >= 0) throw new Error("disk full");
      return settle.apply(outbox, args);
    };
    await server.addMessage(["cancelled"]);
    await until(() => refusals === 1);
    await server.clock.advance(1_000);
    await until(() => refusals === 0);
    expect(server.states(rowId)).toEqual(["waiting"]);
    await server.clock.advance(1_000);
    await until(() => server.states(rowId)[0] === "delivered");
    expect(receiver.requests.length).toBe(1);
  });
});

describe("a wall clock", () => {
  test("set back by a day does not delay a retry by a day", async () => {
    const receiver = await startReceiver((socket, request) =>
      (receiver.requests.length === 1 ? status("500 Oops") : ok)(socket, request),
    );
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["cancelled"]);
    await until(() => attemptsAt(server, rowId).attempts.length === 1);
    server.clock.jump(-86_400_000);
    await server.clock.advance(10_000);
    await until(() => server.states(rowId)[0] === "delivered");
  });

  test("set ahead is noticed within a minute", async () => {
    const receiver = await startReceiver((socket, request) =>
      (receiver.requests.length < 4 ? status("500 Oops") : ok)(socket, request),
    );
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["cancelled"]);
    for (const [index, seconds] of [10, 30].entries()) {
      await until(() => attemptsAt(server, rowId).attempts.length === index + 1);
      await server.clock.advance(seconds * 1_000);
    }
    await until(() => attemptsAt(server, rowId).attempts.length === 3);
    server.clock.jump(86_400_000);
    await server.clock.advance(60_000);
    await until(() => server.states(rowId)[0] === "delivered");
  });
});
