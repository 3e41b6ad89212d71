/** Why a message waits, as the operator sees it: the queue itself decides, and the words follow. */
import { afterEach, describe, expect, test } from "bun:test";
import { describeReason } from "../../src/domain/reason.ts";
import { waitOf } from "../../src/operator/waiting.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { createOperatorServer } from "../support/operator.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

describe("a message's reason to wait", () => {
  let server: TestServer;
  afterEach(() => server.stop());

  async function started(limits: { window?: number; partsPerSecond?: number }, routeCount = 1) {
    const providers: ScriptedProvider[] = [];
    server = await createTestServer({
      routes: Array.from({ length: routeCount }, () => ({})),
      build: (_, events) => {
        const provider = new ScriptedProvider(events, limits);
        providers.push(provider);
        return provider;
      },
    });
    await server.start();
    return providers;
  }

  function wait(trackingCode: string): string | null {
    const row = server.store.tables.messages.byCodeAnywhere(trackingCode);
    if (row === null) throw new Error(`There is no message ${trackingCode}`);
    const sending = { heldSince: () => server.store.tables.restoreHold.since() };
    const reason = waitOf({ ...server, running: server.routes, sending, quietHours: { until: () => null } }, row);
    return reason === null ? null : describeReason(reason);
  }

  test("is its due time, and gone once it was sent", async () => {
    await started({});
    const later = await server.send({ sendAt: server.clock.now() + 60_000 });
    expect(wait(later)).toBe("due at 2026-01-05 12:01:00Z");
    await server.clock.advance(61_000);
    await until(() => server.statusOf(later) === "sent");
    expect(wait(later)).toBeNull();
  });

  test("is the release after a restore, before any other reason", async () => {
    await started({});
    const later = await server.send({ sendAt: server.clock.now() + 60_000 });
    await server.store.write((tables) => tables.restoreHold.hold(server.clock.now()));
    expect(wait(later)).toBe(
      "a copy was restored at 2026-01-05 12:00:00Z, and nothing is sent until: peyk queue release",
    );
  });

  test("is its route being down since a time, or any of several", async () => {
    const [first, second] = await started({}, 2);
    await server.clock.advance(60_000);
    first?.goDown();
    await server.clock.advance(60_000);
    second?.goDown();
    const code = await server.send();
    await settleLoop();
    expect(wait(code)).toBe("routes route-1, route-2 are down since 2026-01-05 12:02:00Z");
    server.routes.apply(server.configurations.slice(0, 1));
    expect(wait(code)).toBe("route route-1 is down since 2026-01-05 12:01:00Z");
    server.routes.apply([]);
    expect(wait(code)).toBe("no route of its sender is enabled");
  });

  test("is a full window of its route", async () => {
    const [route] = await started({ window: 1 });
    route?.hold();
    await server.send();
    await until(() => route?.submissions.length === 1);
    const code = await server.send();
    await settleLoop();
    expect(wait(code)).toBe("the window of route route-1 is full: 1 part is unanswered");
    route?.release();
    await until(() => server.statusOf(code) === "sent");
  });

  test("is the rate of its route", async () => {
    await started({ partsPerSecond: 2 });
    await server.sendAll([{}, {}]);
    const code = await server.send();
    await settleLoop();
    expect(wait(code)).toBe("route route-1 sends no more than 2 parts a second now");
  });

  test("is its next attempt after a refusal", async () => {
    const [route] = await started({});
    route?.answerWith({ kind: "temporary", reason: { code: "simulated_throttling" } });
    const code = await server.send();
    await until(() => server.store.tables.messages.byCodeAnywhere(code)?.state === "retry_wait");
    expect(wait(code)).toMatch(/^its next attempt is due at 2026-01-05 12:00/);
  });

  test("is its suspended account, before other reasons", async () => {
    const [route] = await started({});
    route?.goDown();
    const code = await server.send();
    const account = server.directory.account(1);
    if (account === null) throw new Error("There is no account 1");
    server.directory.putAccount({ ...account, status: "suspended" });
    expect(wait(code)).toBe("its account is suspended");
  });
});

test("a due message shows how many of its sender are ahead, and a scheduled one shows none", async () => {
  const server = await createOperatorServer();
  try {
    await server.call("POST", "/accounts", { name: "Clinic" });
    for (const sender of ["30001", "30002"]) await server.call("POST", "/accounts/1/senders", { sender });
    for (const trackingCode of ["A", "B", "C"]) await server.storeMessage({ trackingCode });
    await server.storeMessage({ trackingCode: "OTHER", senderId: 2 });
    await server.storeMessage({ trackingCode: "LATER", sendAt: server.clock.now() + 60_000 });
    const ahead = async (code: string) => {
      const { body } = await server.call("GET", `/messages/${code}`);
      return typeof body === "object" && body !== null && "ahead" in body ? body.ahead : undefined;
    };
    expect(await Promise.all(["A", "B", "C", "OTHER", "LATER"].map(ahead))).toEqual([
      { messages: 0, more: false },
      { messages: 1, more: false },
      { messages: 2, more: false },
      { messages: 0, more: false },
      null,
    ]);
    const { queue, messages } = server.store.tables;
    const last = messages.byCodeAnywhere("LATER");
    if (last?.dueAt == null) throw new Error("LATER does not wait");
    expect([2, 3, 9].map((limit) => queue.ahead(last, { dueAt: last.dueAt ?? 0, id: last.id }, limit))).toEqual([
      2, 3, 3,
    ]);
  } finally {
    await server.close();
  }
});

describe("status", () => {
  test("says why due messages wait, and names suspended accounts and routes with unmatched receipts", async () => {
    const server = await createOperatorServer();
    try {
      await server.call("POST", "/accounts", { name: "Clinic" });
      await server.call("POST", "/accounts/1/senders", { sender: "30001" });
      await server.storeMessage({ trackingCode: "A" });
      const show = async () => (await server.call("GET", "/messages/A")).body;
      expect(await show()).toMatchObject({ waits: "its turn on route simulator comes" });
      await server.call("POST", "/accounts/1/suspend", {});
      expect(await show()).toMatchObject({ waits: "its account is suspended" });
      const orphan = { routeId: 1, providerIds: ["x1"], anyWidth: false, numberEnds: "", state: "delivered" as const };
      await server.store.write((tables) =>
        tables.orphanReceipts.insert({ ...orphan, errorCode: null, detail: "stat:DELIVRD", at: 0 }, server.clock.now()),
      );
      const status = async () => (await server.call("GET", "/status")).body;
      expect(await status()).toMatchObject({
        waits: [{ reason: "its account is suspended", waiting: 1, more: false }],
      });
      const held = "Account acc_1 (Clinic) is suspended; 1 message of it waits. See: peyk account resume --help";
      const unmatched =
        "Receipts of route simulator match no message, so none is reported as delivered. What to do: peyk route receipts simulator";
      expect(await status()).toMatchObject({ warnings: expect.arrayContaining([held]) });
      // A receipt may be faster than the answer to its submit.
      expect(await status()).not.toMatchObject({ warnings: expect.arrayContaining([unmatched]) });
      server.clock.jump(61_000);
      expect(await status()).toMatchObject({ warnings: expect.arrayContaining([held, unmatched]) });
    } finally {
      await server.close();
    }
  });
});
