/** What comes of a callback that fails: the schedule, Retry-After, time-outs, and a disk that refuses. */
import { afterEach, describe, expect, test } from "bun:test";
import { attemptsAt, callbackSettings, cleaning, headerOf, ok, silent, status, urlOf } from "../support/callbacks.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { until } from "../support/webhook-server.ts";

const cleanUp = cleaning();
afterEach(() => cleanUp.run());
const { receiver, house } = callbackSettings(cleanUp);

describe("failures", () => {
  test("500, then 200: the same event again after ten seconds, with a fresh timestamp", async () => {
    const target = await receiver((socket, request) =>
      (target.requests.length === 1 ? status("500 Oops") : ok)(socket, request),
    );
    const { webhook, message, clock, states } = await house([target]);
    const { rowId } = await webhook(urlOf(target));
    await message(["cancelled"]);
    await until(() => target.requests.length === 1);
    await clock.advance(9_999);
    expect(target.requests.length).toBe(1);
    await clock.advance(1);
    await until(() => states(rowId)[0] === "delivered");
    const [first, second] = target.requests;
    expect(second?.body).toBe(first?.body ?? "");
    const stamps = target.requests.map((request) => Number(headerOf("X-Service-Timestamp", request)));
    expect((stamps[1] ?? 0) - (stamps[0] ?? 0)).toBe(10);
  });

  test("eight attempts on the schedule, then it has failed for good; each attempt is on record", async () => {
    const target = await receiver((socket) => void socket.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nlate"));
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    for (const [index, seconds] of [10, 30, 120, 480, 1_800, 3_600, 3_600].entries()) {
      await until(() => attemptsAt(made, rowId).attempts.length === index + 1);
      expect(attemptsAt(made, rowId).delivery.dueAt).toBe(made.clock.now() + seconds * 1_000);
      await made.clock.advance(seconds * 1_000);
    }
    await until(() => made.states(rowId)[0] === "failed");
    const { attempts, delivery } = attemptsAt(made, rowId);
    expect(attempts.map(({ number, status, failure }) => [number, status, failure])).toEqual(
      Array.from({ length: 8 }, (_, index) => [index + 1, 503, "status"]),
    );
    expect(attempts[0]).toMatchObject({ address: "127.0.0.1", detail: "" });
    expect(Buffer.from(attempts[0]?.excerpt ?? []).toString()).toBe("late");
    expect(delivery).toMatchObject({ state: "failed", dueAt: null, attempts: 8, endedAt: made.clock.now() });
    await made.clock.advance(100_000_000);
    expect(new Set(target.requests.map((request) => headerOf("X-Service-Event-Id", request))).size).toBe(1);
    expect(target.requests.length).toBe(8);
  });

  for (const line of ["301 Moved\r\nLocation: https://10.0.0.1/", "304 Not Modified", "410 Gone", "404 Not Found"]) {
    test(`${line.split("\r")[0]} is no success and is tried again`, async () => {
      const target = await receiver(status(line));
      const made = await house([target]);
      const { rowId } = await made.webhook(urlOf(target));
      await made.message(["cancelled"]);
      await until(() => attemptsAt(made, rowId).attempts.length === 1);
      expect(attemptsAt(made, rowId).delivery.state).toBe("waiting");
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
    test(`429 with Retry-After: ${what}`, async () => {
      const clock = new ManualClock();
      const dated = value.startsWith("DATE")
        ? new Date(clock.now() + Number(value.slice(4)) * 1_000).toUTCString()
        : value;
      const target = await receiver(status(`429 Slow down\r\nRetry-After: ${dated}`));
      const made = await house([target], { clock });
      const { rowId } = await made.webhook(urlOf(target));
      await made.message(["cancelled"]);
      await until(() => attemptsAt(made, rowId).attempts.length === 1);
      expect(attemptsAt(made, rowId).delivery.dueAt).toBe(clock.now() + seconds * 1_000);
    });
  }

  test("a receiver that never answers costs ten seconds, and is on record as timed out", async () => {
    const target = await receiver(silent);
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    await until(() => target.requests.length === 1);
    await made.clock.advance(9_999);
    expect(made.deliverer.inFlight).toBe(1);
    await made.clock.advance(1);
    await until(() => attemptsAt(made, rowId).attempts.length === 1);
    expect(made.deliverer.inFlight).toBe(0);
    expect(attemptsAt(made, rowId).attempts[0]).toMatchObject({ failure: "timeout", status: null, durationMs: 10_000 });
  });

  test("a disk that refuses the outcome does not make the receiver hear the event again", async () => {
    const target = await receiver(ok);
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    const { outbox } = made.store.tables;
    const settle = outbox.settle;
    let refusals = 2;
    outbox.settle = (...args) => {
      refusals -= 1;
      if (refusals >= 0) throw new Error("disk full");
      return settle.apply(outbox, args);
    };
    await made.message(["cancelled"]);
    await until(() => refusals === 1);
    await made.clock.advance(1_000);
    await until(() => refusals === 0);
    expect(made.states(rowId)).toEqual(["waiting"]);
    await made.clock.advance(1_000);
    await until(() => made.states(rowId)[0] === "delivered");
    expect(target.requests.length).toBe(1);
  });
});

describe("clocks", () => {
  test("a wall clock that goes back by a day does not postpone a retry by a day", async () => {
    const target = await receiver((socket, request) =>
      (target.requests.length === 1 ? status("500 Oops") : ok)(socket, request),
    );
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    await until(() => attemptsAt(made, rowId).attempts.length === 1);
    made.clock.jump(-86_400_000);
    await made.clock.advance(10_000);
    await until(() => made.states(rowId)[0] === "delivered");
  });

  test("a wall clock that goes ahead is noticed within a minute", async () => {
    const target = await receiver((socket, request) =>
      (target.requests.length < 4 ? status("500 Oops") : ok)(socket, request),
    );
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    for (const [index, seconds] of [10, 30].entries()) {
      await until(() => attemptsAt(made, rowId).attempts.length === index + 1);
      await made.clock.advance(seconds * 1_000);
    }
    await until(() => attemptsAt(made, rowId).attempts.length === 3);
    made.clock.jump(86_400_000);
    await made.clock.advance(60_000);
    await until(() => made.states(rowId)[0] === "delivered");
  });
});
