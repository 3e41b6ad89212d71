/** What a customer's receiver sees: every event, signed, in order, again after a failure, and nothing after a stop. */
import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { temporaryFolder } from "../support/house.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { okAnswer, type ReceivedRequest, type TlsReceiver, tlsReceiver } from "../support/tls-receiver.ts";
import {
  openWebhookHouse,
  receiverPair,
  until,
  type WebhookHouse,
  type WebhookHouseOptions,
} from "../support/webhook-house.ts";

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Answer = (socket: TLSSocket, request: ReceivedRequest) => void;
const ok: Answer = (socket) => void socket.write(okAnswer);
const status =
  (line: string): Answer =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);
const silent: Answer = () => undefined;

async function receiver(answer: Answer): Promise<TlsReceiver> {
  const made = await tlsReceiver(receiverPair, answer);
  cleanUps.push(() => made.stop());
  return made;
}

async function house(receivers: readonly TlsReceiver[], options: WebhookHouseOptions = {}) {
  const clock = new ManualClock();
  const trusted = receivers.map(({ port }) => `127.0.0.1:${port}`);
  const made = await openWebhookHouse({ clock, trusted, ...options });
  cleanUps.push(() => made.stop());
  return { ...made, clock };
}

const urlOf = ({ port }: TlsReceiver, path = "/hook") => `https://127.0.0.1:${port}${path}`;
const headerOf = (name: string, { head }: ReceivedRequest) =>
  new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim();
const eventOf = (request: ReceivedRequest) => JSON.parse(request.body);
const statusesOf = ({ requests }: TlsReceiver) => requests.map((request) => eventOf(request).data.status);

/** The attempts at the only delivery of a webhook. */
function attemptsAt({ store }: WebhookHouse, rowId: number) {
  const [delivery] = store.tables.deliveryLog.ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 1);
  if (delivery === undefined) throw new Error("There is no delivery");
  return { delivery, attempts: store.tables.deliveryLog.attemptsOf(delivery.id) };
}

describe("what arrives", () => {
  test("every status change after the first, in order, with the contract's headers and a signature that verifies", async () => {
    const target = await receiver(ok);
    const { webhook, message, clock, states } = await house([target]);
    const { secret, rowId } = await webhook(urlOf(target));
    const trackingCode = await message(["submitting", "submitted", "delivered"]);
    await until(() => states(rowId).join() === "delivered,delivered,delivered");
    expect(statusesOf(target)).toEqual(["processing", "sent", "delivered"]);
    for (const request of target.requests) {
      const event = eventOf(request);
      const timestamp = headerOf("X-Service-Timestamp", request);
      expect(headerOf("X-Service-Event-Id", request)).toBe(event.id);
      expect(headerOf("X-Service-Event", request)).toBe("message.status");
      expect(timestamp).toBe(String(Math.floor(clock.now() / 1000)));
      const expected = createHmac("sha256", secret).update(`${timestamp}.${request.body}`).digest("hex");
      expect(headerOf("X-Service-Signature", request)).toBe(`v1=${expected}`);
      expect(headerOf("Content-Type", request)).toBe("application/json");
    }
    const { id, ...event } = eventOf(target.requests[0] ?? { head: "", body: "{}", connection: 0 });
    const at = new Date(clock.now()).toISOString();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(event).toEqual({
      type: "message.status",
      createdAt: at,
      data: {
        trackingCode,
        clientReference: null,
        sender: "30001",
        recipient: "+989120000010",
        status: "processing",
        changedAt: at,
      },
    });
  });

  test("each webhook of the account gets its own signature; another account and another kind get nothing", async () => {
    const target = await receiver(ok);
    const { webhook, message } = await house([target]);
    const first = await webhook(urlOf(target, "/1"));
    const second = await webhook(urlOf(target, "/2"));
    await webhook(urlOf(target, "/inbound"), ["inbound.received"]);
    await webhook(urlOf(target, "/stranger"), ["message.status"], 2);
    await message(["cancelled"]);
    await until(() => target.requests.length === 2);
    const byPath = new Map(target.requests.map((request) => [request.head.split(" ")[1], request]));
    expect([...byPath.keys()].sort()).toEqual(["/1", "/2"]);
    for (const [path, { secret }] of [
      ["/1", first],
      ["/2", second],
    ] as const) {
      const request = byPath.get(path);
      if (request === undefined) throw new Error("missing");
      const payload = `${headerOf("X-Service-Timestamp", request)}.${request.body}`;
      expect(headerOf("X-Service-Signature", request)).toBe(
        `v1=${createHmac("sha256", secret).update(payload).digest("hex")}`,
      );
    }
  });

  test("nothing is written for an account that nobody listens for", async () => {
    const { message, store } = await house([]);
    await message(["submitting", "submitted"]);
    expect(store.tables.outbox.waitingWebhooks()).toEqual([]);
  });

  test("a status change that is rolled back leaves no event", async () => {
    const target = await receiver(ok);
    const { webhook, message, store, states } = await house([target]);
    const { rowId } = await webhook(urlOf(target));
    const code = await message([]);
    const change = store.write((tables) => {
      const row = tables.messages.byCodeAnywhere(code);
      if (row !== null) tables.messages.move(row, { to: "cancelled", at: 1 });
      throw new Error("no");
    });
    await expect(change).rejects.toThrow("no");
    expect(states(rowId)).toEqual([]);
  });

  test("a test event reaches the one webhook that was asked for", async () => {
    const target = await receiver(ok);
    const { webhook, desk } = await house([target]);
    const first = await webhook(urlOf(target, "/1"));
    await webhook(urlOf(target, "/2"));
    const eventId = await desk.test(1, first.id);
    await until(() => target.requests.length === 1);
    const [request] = target.requests;
    if (request === undefined) throw new Error("missing");
    expect(request.head).toStartWith("POST /1 ");
    expect(eventOf(request)).toMatchObject({ id: eventId, type: "webhook.test", data: { webhookId: first.id } });
    expect(headerOf("X-Service-Event", request)).toBe("webhook.test");
  });
});

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

  for (const line of [
    "301 Moved\r\nLocation: https://10.0.0.1/",
    "304 Not Modified",
    "410 Gone",
    "404 Not Found",
    "199 What",
  ]) {
    test(`${line.split("\r")[0]} is no success and is tried again`, async () => {
      const target = await receiver(status(line));
      const made = await house([target]);
      const { rowId } = await made.webhook(urlOf(target));
      await made.message(["cancelled"]);
      if (line.startsWith("1"))
        await made.clock
          .advance(1)
          .then(() => until(() => target.requests.length === 1))
          .then(() => made.clock.advance(10_000));
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

describe("order and turns", () => {
  test("while an earlier event of a message fails, its later ones wait; other messages do not", async () => {
    const target = await receiver((socket, request) =>
      (eventOf(request).data.status === "processing" ? status("500 Oops") : ok)(socket, request),
    );
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["submitting", "submitted"]);
    await made.message(["cancelled"]);
    await until(() => made.states(rowId).join() === "waiting,held,delivered");
    for (const seconds of [10, 30]) {
      await made.clock.advance(seconds * 1_000);
      await until(() => made.outcomes.length >= (seconds === 10 ? 3 : 4));
    }
    expect(statusesOf(target)).toEqual(["processing", "cancelled", "processing", "processing"]);
    await made.clock.advance(120_000);
    await until(() => made.states(rowId).join() === "waiting,delivered,delivered");
    expect(statusesOf(target).slice(4)).toEqual(["processing", "sent"]);
  });

  test("an event whose predecessor was delivered follows at once, and the third after the second", async () => {
    const pending: TLSSocket[] = [];
    const target = await receiver((socket) => void pending.push(socket));
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["submitting", "submitted", "delivered"]);
    for (const count of [1, 2, 3]) {
      await until(() => pending.length === count);
      expect(made.deliverer.inFlight).toBe(1);
      pending[count - 1]?.write(okAnswer);
    }
    await until(() => made.states(rowId).join() === "delivered,delivered,delivered");
    expect(statusesOf(target)).toEqual(["processing", "sent", "delivered"]);
  });

  test("at most two at once for one webhook", async () => {
    const pending: TLSSocket[] = [];
    const target = await receiver((socket) => void pending.push(socket));
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    for (let count = 0; count < 7; count += 1) await made.message(["cancelled"]);
    let open = 0;
    for (let answered = 0; answered < 7; answered += 1) {
      await until(() => pending.length > answered);
      await made.clock.advance(1);
      open = Math.max(open, pending.length - answered);
      pending[answered]?.write(okAnswer);
    }
    expect(open).toBe(2);
    await until(() => made.states(rowId).every((state) => state === "delivered"));
  });

  test("64 at once in all, and webhooks that hang never hold more than half of the places", async () => {
    const hanging = await receiver(silent);
    const prompt = await receiver(ok);
    const made = await house([hanging, prompt]);
    const { store } = made;
    const accounts = await store.write((tables) =>
      Array.from(
        { length: 40 },
        (_, index) =>
          tables.accounts.insert({ name: `A${index}`, status: "active", defaultSender: null, createdAt: 1 }).id,
      ),
    );
    for (const account of accounts) await made.webhook(urlOf(hanging), ["message.status"], account);
    for (const account of accounts)
      for (let count = 0; count < 4; count += 1) await made.message(["cancelled"], account);
    await until(() => made.deliverer.inFlight === 64 && hanging.requests.length === 64);
    await made.clock.advance(10_000);
    await until(() => made.outcomes.length === 64);
    const good = await made.webhook(urlOf(prompt));
    for (let count = 0; count < 20; count += 1) await made.message(["cancelled"]);
    await until(
      () => made.states(good.rowId).filter((state) => state === "delivered").length === 20,
      "the good webhook's turn",
    );
    expect(made.deliverer.inFlight).toBeLessThanOrEqual(64);
    await made.clock.advance(10_000);
  }, 15_000);
});

describe("stopping", () => {
  test("a webhook that is switched off stops at once: what was under way is cut, what waited is ended, and stays so", async () => {
    const target = await receiver(silent);
    const made = await house([target]);
    const { id, rowId } = await made.webhook(urlOf(target));
    for (let count = 0; count < 5; count += 1) await made.message(["submitting", "submitted"]);
    await until(() => target.requests.length === 2);
    await made.desk.change(1, id, { isActive: false });
    await until(() => made.states(rowId).every((state) => state === "stopped"));
    expect(made.deliverer.inFlight).toBe(0);
    expect(made.states(rowId).length).toBe(10);
    await made.message(["cancelled"]);
    expect(made.states(rowId).length).toBe(10);
    await made.desk.change(1, id, { isActive: true });
    await made.message(["cancelled"]);
    await until(() => target.requests.length === 3);
    expect(made.states(rowId)).toEqual([...Array<string>(10).fill("stopped"), "waiting"]);
  });

  test("a removed webhook stops at once and hears nothing more", async () => {
    const target = await receiver(status("500 Oops"));
    const made = await house([target]);
    const { id, rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    await until(() => attemptsAt(made, rowId).attempts.length === 1);
    await made.desk.remove(1, id);
    await until(() => made.states(rowId)[0] === "stopped");
    await made.message(["cancelled"]);
    await made.clock.advance(100_000);
    expect(target.requests.length).toBe(1);
    expect(made.states(rowId)).toEqual(["stopped"]);
  });

  test("while an account is suspended its callbacks wait; after that they go on", async () => {
    const target = await receiver(ok);
    let isSuspended = false;
    const made = await house([target], { isSuspended: (accountId) => isSuspended && accountId === 1 });
    const { rowId } = await made.webhook(urlOf(target));
    const other = await made.webhook(urlOf(target), ["message.status"], 2);
    isSuspended = true;
    made.deliverer.accountChanged(1);
    await made.message(["cancelled"]);
    await made.message(["cancelled"], 2);
    await until(() => made.states(other.rowId)[0] === "delivered");
    expect(made.states(rowId)).toEqual(["waiting"]);
    isSuspended = false;
    made.deliverer.accountChanged(1);
    await until(() => made.states(rowId)[0] === "delivered");
  });

  test("a service that stops lets what is under way end, cuts the rest, and sends that again after its start", async () => {
    const folder = temporaryFolder();
    cleanUps.push(folder.remove);
    const target = await receiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await openWebhookHouse({ clock, trusted, folder: folder.path });
    await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await until(() => target.requests.length === 1);
    const stopped = before.deliverer.stop(1_000);
    await clock.advance(999);
    expect(before.deliverer.inFlight).toBe(1);
    await clock.advance(1);
    await stopped;
    before.crash();
    const after = await openWebhookHouse({ clock, trusted, folder: folder.path });
    cleanUps.push(() => after.crash());
    await until(() => target.requests.length === 2);
    expect(target.requests[1]?.body).toBe(target.requests[0]?.body ?? "");
  });
});

describe("over a restart", () => {
  test("the backoff goes on where it was: not sooner, and with the same event id", async () => {
    const folder = temporaryFolder();
    cleanUps.push(folder.remove);
    const target = await receiver((socket, request) =>
      (target.requests.length < 3 ? status("500 Oops") : ok)(socket, request),
    );
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await openWebhookHouse({ clock, trusted, folder: folder.path });
    const { rowId } = await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await until(() => attemptsAt(before, rowId).attempts.length === 1);
    await clock.advance(10_000);
    await until(() => attemptsAt(before, rowId).attempts.length === 2);
    before.crash();
    const after = await openWebhookHouse({ clock, trusted, folder: folder.path });
    cleanUps.push(() => after.crash());
    await clock.advance(29_999);
    expect(target.requests.length).toBe(2);
    await clock.advance(1);
    await until(() => after.states(rowId)[0] === "delivered");
    expect(new Set(target.requests.map(({ body }) => body)).size).toBe(1);
    expect(attemptsAt(after, rowId).attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test("what was switched off before a crash stays ended after it, also when it was switched on again", async () => {
    const folder = temporaryFolder();
    cleanUps.push(folder.remove);
    const target = await receiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await openWebhookHouse({ clock, trusted, folder: folder.path });
    const { rowId } = await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await before.message(["cancelled"]);
    await until(() => target.requests.length === 2);
    const row = before.store.tables.webhooks.byId(rowId);
    if (row === null) throw new Error("missing");
    await before.deliverer.stop(0);
    await before.store.write((tables) => tables.webhooks.change(row, { events: row.events, active: false, at: 1 }));
    const off = before.store.tables.webhooks.byId(rowId);
    if (off === null) throw new Error("missing");
    await before.store.write((tables) => tables.webhooks.change(off, { events: off.events, active: true, at: 2 }));
    before.crash();
    const after = await openWebhookHouse({ clock, trusted, folder: folder.path });
    cleanUps.push(() => after.crash());
    await until(() => after.states(rowId).every((state) => state === "stopped"));
    expect(target.requests.length).toBe(2);
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
    for (const seconds of [10, 30]) {
      const seen = target.requests.length;
      await until(() => attemptsAt(made, rowId).attempts.length === seen + (seen === 0 ? 1 : 0) || seen > 0);
      await until(() => attemptsAt(made, rowId).attempts.length >= 1);
      await made.clock.advance(seconds * 1_000);
      await until(() => attemptsAt(made, rowId).attempts.length === (seconds === 10 ? 2 : 3));
    }
    made.clock.jump(86_400_000);
    await made.clock.advance(60_000);
    await until(() => made.states(rowId)[0] === "delivered");
  });
});
