/** A start with a clock that is three days ahead: status says so, waiting messages are held, and `peyk clock confirm` lets them expire. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { loadSettings } from "../../src/config/settings.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let folder: ReturnType<typeof temporaryFolder>;
let aheadMs: number;
let running: RunningServer | null = null;
const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };

beforeEach(() => {
  folder = temporaryFolder();
  aheadMs = 0;
});
afterEach(async () => {
  await running?.stop();
  folder.remove();
});

async function start(timeAgreedAt: () => number | null): Promise<RunningServer> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags, env: {}, readFile: () => null, configFile: undefined });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  running = await startServer(loaded.settings, { clock, random: systemRandom, log: silentLog, timeAgreedAt });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = null;
}

async function untilFailed(): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (states()[0] !== "failed" && performance.now() < deadline) await Bun.sleep(20);
  expect(states()).toEqual(["failed"]);
}

async function operate<Answer>(server: RunningServer, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://localhost${path}`, {
    method,
    unix: server.socketPath,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const warnings = async (server: RunningServer) =>
  (await operate<{ warnings: string[] }>(server, "GET", "/status")).warnings.join("\n");
const states = () => rowsIn<{ state: string }>(folder.path, "SELECT state FROM message").map(({ state }) => state);

/** Leaves one scheduled message behind. */
async function leaveScheduled(): Promise<void> {
  const server = await start(() => null);
  const { id } = await operate<{ id: string }>(server, "POST", "/accounts", { name: "Customer" });
  const { apiKey } = await operate<{ apiKey: string }>(server, "POST", "/keys", { account: id, name: "test" });
  await operate(server, "POST", `/accounts/${id}/senders`, { sender: "30001234" });
  const sendAt = new Date(Date.now() + hourMs).toISOString();
  const response = await fetch(`${server.url}/v1/messages/scheduled`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Idempotency-Key": "one", "Content-Type": "application/json" },
    body: JSON.stringify({ sender: "30001234", recipient: "09121234500", message: "Hello", sendAt }),
  });
  expect(response.status).toBe(202);
  expect(await warnings(server)).not.toContain("The clock jumped");
  await stop();
}

test("a start with a clock three days ahead holds waiting messages until the operator confirms the time", async () => {
  await leaveScheduled();
  aheadMs = 3 * dayMs;
  const server = await start(() => null);
  expect(await warnings(server)).toContain("The clock jumped ahead by 3 d");
  await Bun.sleep(1_500);
  expect(states()).toEqual(["ready"]);
  await stop();
  const again = await start(() => null);
  expect(await warnings(again)).toContain("peyk clock confirm");
  expect(await operate<{ wasInDoubt: boolean }>(again, "POST", "/clock/confirm")).toMatchObject({ wasInDoubt: true });
  expect(await warnings(again)).not.toContain("The clock jumped");
  await stop();
  const after = await start(() => null);
  expect(await warnings(after)).not.toContain("The clock jumped");
  await untilFailed();
});

test("a start three days later with an agreeing time service expires waiting messages", async () => {
  await leaveScheduled();
  aheadMs = 3 * dayMs;
  const server = await start(() => clock.now() - 60_000);
  expect(await warnings(server)).not.toContain("The clock jumped");
  await untilFailed();
});
