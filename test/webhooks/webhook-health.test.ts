/** The recent health of receivers survives restarts: slow ones delay nobody, and one that fails for five days is given up. */
import { afterEach, describe, expect, test } from "bun:test";
import type { WebhookHealth } from "../../src/store/webhooks.ts";
import { failingMsMax, healthAfter, isGivenUp } from "../../src/webhooks/webhook-health.ts";
import { callbackFixtures, createCleanUp, ok, silent, status, urlOf } from "../support/callbacks.ts";
import { ManualClock, until } from "../support/manual-clock.ts";
import { createOperatorServer } from "../support/operator.ts";
import { temporaryFolder } from "../support/test-server.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fresh = { isSlow: false, failingSince: null, failedAt: null };

describe("the health of a webhook", () => {
  test("is that of its last attempt, counts from the first failure, and is stored once an hour at most", () => {
    const failing = healthAfter(fresh, "status", 1_000);
    expect(failing).toEqual({ isSlow: false, failingSince: 1_000, failedAt: 1_000 });
    expect(healthAfter(failing, "status", 1_000 + hourMs - 1)).toBe(failing);
    const later = healthAfter(failing, "timeout", 1_000 + hourMs);
    expect(later).toEqual({ isSlow: true, failingSince: 1_000, failedAt: 1_000 + hourMs });
    expect(healthAfter(later, null, 9)).toEqual(fresh);
    expect(healthAfter(fresh, null, 9)).toBe(fresh);
  });

  test("ignores days without an attempt, a clock that jumped, and failures of our own name server", () => {
    const failing = healthAfter(fresh, "status", 0);
    expect(healthAfter(failing, "status", dayMs)).toMatchObject({ failingSince: 0 });
    for (const at of [dayMs + 1, -dayMs - 1, 100 * dayMs]) {
      expect(healthAfter(failing, "status", at)).toMatchObject({ failingSince: at, failedAt: at });
    }
    expect(healthAfter(failing, "resolver_failed", 2 * dayMs)).toBe(failing);
  });

  test("is given up after five days of failures, not before", () => {
    let health: WebhookHealth = fresh;
    for (let at = 0; at < failingMsMax; at += 6 * hourMs) {
      health = healthAfter(health, "connect_failed", at);
      expect(isGivenUp(health)).toBe(false);
    }
    expect(isGivenUp(healthAfter(health, "status", failingMsMax))).toBe(true);
  });
});

test("after a restart webhooks that hung before take no more than half of the slots from the start", async () => {
  const folder = temporaryFolder();
  cleanUp.add(folder.remove);
  const hanging = await startReceiver(silent);
  const prompt = await startReceiver(ok);
  const clock = new ManualClock();
  const before = await startServer([hanging, prompt], { folder: folder.path, clock });
  const accounts = await before.store.write((tables) =>
    Array.from({ length: 40 }, (_, index) => {
      const row = { name: `A${index}`, status: "active" as const, createdAt: 1 };
      return tables.accounts.insert(row).id;
    }),
  );
  for (const account of accounts) await before.register(urlOf(hanging), ["message.status"], account);
  const good = await before.register(urlOf(prompt));
  for (const account of [...accounts, ...accounts]) await before.addMessage(["cancelled"], account);
  // The last slot is kept for an account that has none yet.
  await until(() => before.deliverer.inFlight === 63);
  await clock.advance(10_000);
  await until(() => before.outcomes.length >= 63);
  await before.stop();
  clock.jump(60_000);
  const after = await startServer([hanging, prompt], { folder: folder.path, clock });
  await until(() => after.deliverer.inFlight >= 32);
  for (let count = 0; count < 20; count += 1) await after.addMessage(["cancelled"]);
  await until(() => after.states(good.rowId).filter((state) => state === "delivered").length === 20);
  expect(after.deliverer.inFlight).toBe(32);
}, 180_000);

test("a webhook whose every callback fails for five days is switched off, and starts over when switched on", async () => {
  const receiver = await startReceiver(status("500 Oops"));
  const server = await startServer([receiver]);
  const { id, rowId } = await server.register(urlOf(receiver));
  const isActive = () => server.service.list(1)[0]?.isActive;
  async function failOnce(): Promise<void> {
    const attempts = server.outcomes.length;
    await server.addMessage(["cancelled"]);
    await until(() => server.outcomes.length > attempts);
  }
  const row = () => server.store.tables.webhooks.byId(rowId);
  await failOnce();
  await until(() => row()?.failingSince !== null);
  const since = row()?.failingSince ?? 0;
  while (server.clock.now() + 23 * hourMs - since < failingMsMax) {
    server.clock.jump(23 * hourMs);
    await failOnce();
    expect(isActive()).toBe(true);
  }
  server.clock.jump(23 * hourMs);
  await failOnce();
  await until(() => isActive() === false);
  await until(() => server.states(rowId).every((state) => state === "stopped" || state === "failed"));
  expect(row()).toMatchObject({ switchedOffAt: server.clock.now(), failingSince: null });
  await server.service.change(1, id, { isActive: true });
  await failOnce();
  expect(row()).toMatchObject({ active: true, switchedOffAt: null });
});

test("the operator is told when a webhook is switched off", async () => {
  const server = await createOperatorServer();
  cleanUp.add(() => server.close());
  await server.call("POST", "/accounts", { name: "Clinic" });
  const publicId = "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11";
  const url = "https://hooks.example.com/";
  await server.store.write((tables) => {
    const row = { publicId, accountId: 1, url, events: [], active: true, sealedSecret: new Uint8Array(1) };
    tables.webhooks.switchOff(tables.webhooks.insert({ ...row, createdAt: 0, updatedAt: 0 }), server.clock.now());
  });
  const warning =
    `The webhook ${url} of acc_1 was switched off at 2026-01-05T12:00:00.000Z: every callback had failed for five days. ` +
    `See: peyk webhook deliveries ${publicId}`;
  expect((await server.call("GET", "/status")).body).toMatchObject({ warnings: expect.arrayContaining([warning]) });
  expect((await server.call("GET", "/webhooks")).body).toMatchObject({
    rows: [{ isActive: false, switchedOffAt: "2026-01-05T12:00:00.000Z" }],
  });
});
