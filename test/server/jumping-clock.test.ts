/** A wall clock that jumps ahead and comes back: no quota is granted twice, and every charge is in the month in which it was made. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { loadSettings } from "../../src/config/settings.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { runCli } from "../support/cli.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const november = Date.UTC(2026, 10, 20, 12);
const sender = "30001234";

let folder: ReturnType<typeof temporaryFolder>;
let server: RunningServer | null = null;
let apiKey = "";
let requests = 0;
/** How far the wall clock is ahead of November's. */
let offMs = 0;
let agreedAt: () => number | null = () => null;
const beganAt = performance.now();
const clock: Clock = { ...systemClock, now: () => Math.floor(november + performance.now() - beganAt + offMs) };

beforeEach(async () => {
  folder = temporaryFolder();
  offMs = 0;
  agreedAt = () => null;
  await start();
  await peyk("account", "create", "--name", "Customer");
  await peyk("sender", "add", "--account", "acc_1", "--sender", sender);
  apiKey = JSON.parse(await peyk("key", "create", "--account", "acc_1", "--name", "k", "--json")).apiKey;
});
afterEach(async () => {
  await stop();
  folder.remove();
});

async function start(): Promise<void> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags: { ...flags, default_time_zone: "UTC" }, env: {}, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const environment = { clock, random: systemRandom, log: silentLog, timeAgreedAt: () => agreedAt() };
  server = await startServer(loaded.settings, environment);
}

async function stop(): Promise<void> {
  await server?.stop();
  server = null;
}

async function peyk(...words: string[]): Promise<string> {
  const { code, out, err } = await runCli([...words, "--data-dir", folder.path]);
  if (code !== 0) throw new Error(err);
  return out;
}

/** How many of `count` messages were accepted. */
async function send(count: number): Promise<number> {
  let accepted = 0;
  for (let index = 0; index < count; index += 1) {
    requests += 1;
    const response = await fetch(`${server?.url}/v1/messages`, {
      method: "POST",
      headers: { "X-API-Key": apiKey, "Idempotency-Key": `r-${requests}`, "Content-Type": "application/json" },
      body: JSON.stringify({ sender, recipient: "09121234500", message: "x" }),
    });
    const { code } = await response.json();
    expect([202, 403]).toContain(response.status);
    if (response.status === 403) {
      expect(code).toBe("quota_exceeded");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    } else accepted += 1;
  }
  return accepted;
}

async function charged(count: number): Promise<void> {
  const sums = () => rowsIn<{ n: number }>(folder.path, "SELECT count(*) AS n FROM message WHERE cost IS NOT NULL");
  await eventually(() => sums()[0]?.n === count);
}

const usedToday = async () => {
  const [quota] = JSON.parse(await peyk("quota", "show", "acc_1", "--json"));
  return { used: quota.partsUsed, day: quota.startsAt.slice(0, 10) };
};

for (const [jump, byMs] of Object.entries({ "a day": dayMs, "two hours": 2 * hourMs, "a year": 365 * dayMs })) {
  test(`a clock that jumps ${jump} ahead and comes back gives no quota away`, async () => {
    await peyk("quota", "set", "acc_1", "--day", "25");
    // Two hours before midnight, so that each of the jumps reaches another day.
    offMs = 10 * hourMs + 1;
    agreedAt = () => clock.now();
    expect(await send(25)).toBe(25);
    expect(await usedToday()).toEqual({ used: 25, day: "2026-11-20" });
    agreedAt = () => null;
    offMs += byMs;
    expect(await send(3)).toBe(0);
    expect(await usedToday()).toEqual({ used: 25, day: "2026-11-20" });
    await stop();
    await start();
    expect(await send(3)).toBe(0);
    offMs -= byMs;
    expect(await send(3)).toBe(0);
    // The day that really begins is a different one.
    offMs += 3 * hourMs;
    agreedAt = () => clock.now();
    expect(await usedToday()).toEqual({ used: 0, day: "2026-11-21" });
    expect(await send(26)).toBe(25);
  });
}

test("a clock that goes back gives no quota away, and periods continue when their time comes again", async () => {
  await peyk("quota", "set", "acc_1", "--day", "5", "--month", "8");
  expect(await send(5)).toBe(5);
  for (const back of [hourMs, 13 * hourMs, 3 * dayMs, 25 * dayMs]) {
    offMs = -back;
    expect(await send(2)).toBe(0);
    await stop();
    await start();
    expect(await send(1)).toBe(0);
  }
  offMs = dayMs;
  agreedAt = () => clock.now();
  expect(await send(5)).toBe(3);
});

test("messages sent while the clock is ahead are charged in the trusted month, and the statement has them all", async () => {
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "7");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "postpaid");
  const statement = async (...month: string[]) =>
    JSON.parse(await peyk("report", "statement", "--account", "acc_1", ...month, "--json"));
  const lines = async () => JSON.parse(await peyk("account", "ledger", "acc_1", "--limit", "500", "--json")).lines;
  await send(20);
  await charged(20);
  offMs = 40 * dayMs;
  await send(20);
  await charged(40);
  await peyk("account", "topup", "acc_1", "--amount", "1000");
  const [topUp] = await lines();
  expect([topUp.at.slice(0, 7), topUp.bookedAt.slice(0, 10)]).toEqual(["2026-12", "2026-11-20"]);
  expect(await statement()).toMatchObject({ month: "2026-11", topUps: 1000, charged: { messages: 40 } });
  expect(await peyk("account", "ledger", "acc_1", "--limit", "1")).toMatch(/2026-12-30 \S+ \(booked 2026-11-20/);
  await stop();
  await start();
  offMs = 0;
  await send(30);
  await charged(70);
  const whole = { month: "2026-11", opening: 0, topUps: 1000, charged: { messages: 70, price: 490 }, closing: 510 };
  expect(await statement("--month", "2026-11")).toMatchObject(whole);
  const none = { opening: 510, topUps: 0, charged: { messages: 0, price: 0 }, closing: 510 };
  expect(await statement("--month", "2026-12")).toMatchObject(none);
  const booked = (await lines()).map(({ bookedAt }: { bookedAt: string }) => bookedAt);
  expect(booked).toEqual(booked.toSorted().reverse());
  // In a confirmed December, the statement of November is unchanged.
  offMs = 14 * dayMs;
  agreedAt = () => clock.now();
  await send(5);
  await charged(75);
  expect(await statement("--month", "2026-11")).toMatchObject(whole);
  expect(await statement()).toMatchObject({ month: "2026-12", opening: 510, charged: { messages: 5 }, closing: 475 });
});

test("a message held as past its validity is sent once the clock is back", async () => {
  await peyk("route", "disable", "simulator");
  expect(await send(1)).toBe(1);
  offMs = 3 * dayMs;
  expect(await peyk("status")).toContain("The clock jumped ahead");
  await peyk("route", "enable", "simulator");
  await Bun.sleep(300);
  const states = () => rowsIn<{ state: string }>(folder.path, "SELECT state FROM message").map(({ state }) => state);
  expect(states()).toEqual(["ready"]);
  offMs = 0;
  expect(await peyk("status")).not.toContain("CLOCK");
  await eventually(() => states()[0] === "delivered", 10_000);
});

test("a clock confirmed wrongly and set back pauses the books, reports it, and is followed once confirmed", async () => {
  await peyk("quota", "set", "acc_1", "--day", "5");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "7");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "postpaid");
  const statement = async (month: string) =>
    JSON.parse(await peyk("report", "statement", "--account", "acc_1", "--month", month, "--json"));
  await send(2);
  await charged(2);
  offMs = 365 * dayMs;
  expect(await peyk("clock", "confirm")).toContain(
    "is taken as right. Expiry, retention, quotas and statements go on.",
  );
  expect(await send(6)).toBe(5);
  await charged(7);
  offMs = 0;
  expect(await send(1)).toBe(0);
  const warnings = async () => JSON.parse(await peyk("status", "--json")).warnings.join("\n");
  expect(await warnings()).toContain("The books are ahead of the clock by 365 d");
  expect(await peyk("clock", "confirm")).toContain("is taken as right. Quotas and statements go by it again.");
  expect(await warnings()).not.toContain("The books");
  expect(await send(6)).toBe(5);
  await charged(12);
  expect(await statement("2026-11")).toMatchObject({ opening: 0, charged: { messages: 7 }, closing: -49 });
  expect(await statement("2027-11")).toMatchObject({ opening: -49, charged: { messages: 5 }, closing: -84 });
  expect(await statement("2026-12")).toMatchObject({ opening: -49, charged: { messages: 0 }, closing: -49 });
});
