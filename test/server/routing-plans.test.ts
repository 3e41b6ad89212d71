/** A whole server with two simulator routes and a plan: only the messages of a blocked target wait, across a restart, until its rule is removed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { startLookupService } from "../support/lookup-service.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let server: RunningServer;

beforeEach(async () => {
  folder = temporaryFolder();
  await start();
});
afterEach(async () => {
  await server.stop();
  folder.remove();
});

async function start(): Promise<void> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags, env: {}, readFile: () => null, configFile: undefined });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  server = await startServer(loaded.settings, { clock: systemClock, random: systemRandom, log: silentLog });
}

async function operate<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://localhost${path}`, {
    method,
    unix: server.socketPath,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

interface Shown {
  status: string;
  route: string | null;
  waits: string | null;
}

const show = (code: string) => operate<Shown>("GET", `/messages/${code}`);

async function until(codes: readonly string[], status: string): Promise<Shown[]> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const shown = await Promise.all(codes.map(show));
    if (shown.every((one) => one.status === status)) return shown;
    if (performance.now() > deadline) throw new Error(JSON.stringify(shown));
    await Bun.sleep(20);
  }
}

/** The tracking codes of `count` messages to numbers with this prefix. */
async function send(apiKey: string, prefix: string, count: number): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, index) => ({
    recipient: `${prefix}${String(index * 100).padStart(7, "0")}`,
    message: "Hello",
  }));
  const response = await fetch(`${server.url}/v1/messages/batch`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Idempotency-Key": prefix, "Content-Type": "application/json" },
    body: JSON.stringify({ sender: "30001234", messages }),
  });
  expect(response.status).toBe(202);
  const results: { trackingCode: string }[] = await response.json();
  return results.map(({ trackingCode }) => trackingCode);
}

async function prepare(): Promise<string> {
  await operate("POST", "/accounts", { name: "Customer" });
  const { apiKey } = await operate<{ apiKey: string }>("POST", "/keys", { account: "acc_1", name: "test" });
  for (const name of ["a", "b"]) await operate("POST", "/routes", { name, kind: "simulator", options: { delayMs: 1 } });
  await operate("POST", "/accounts/acc_1/senders", { sender: "30001234", routes: ["a"] });
  await operate("POST", "/plans", { name: "iran" });
  await operate("POST", "/plans/iran/rules", { networks: ["Irancell"], targets: [{ routes: ["b"] }] });
  await operate("PATCH", "/accounts/acc_1/senders/30001234", { plan: "iran" });
  return apiKey;
}

test("a target that cannot send delays no other, and its waiting messages are neither lost nor stuck", async () => {
  const apiKey = await prepare();
  await operate("POST", "/routes/b/disable");
  const waiting = await send(apiKey, "0935", 60);
  const free = await send(apiKey, "0912", 60);
  const delivered = await until(free, "delivered");
  expect(new Set(delivered.map(({ route }) => route))).toEqual(new Set(["a"]));
  const words = "no route of its target in plan iran is enabled";
  expect(new Set((await until(waiting, "queued")).map(({ waits }) => waits))).toEqual(new Set([words]));
  const { warnings } = await operate<{ warnings: string[] }>("GET", "/status");
  expect(warnings).toContain("Plan iran, rule 1: Messages for it wait: none of its routes is enabled (b).");

  await server.stop();
  await start();
  expect(await show(waiting[0] ?? "")).toMatchObject({ status: "queued", waits: words });
  await operate("DELETE", "/plans/iran/rules/1");
  const anew = await until(waiting, "delivered");
  expect(new Set(anew.map(({ route }) => route))).toEqual(new Set(["a"]));
}, 180_000);

test("a number that is looked up is routed and charged by its network, and keeps it when its target is gone", async () => {
  const apiKey = await prepare();
  await operate("POST", "/prices/retail", { prefix: "*", price: "50" });
  await operate("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "postpaid" });
  const service = startLookupService();
  try {
    service.answer = () => Response.json({ result: { network: "43235" } });
    await operate("PUT", "/number-lookup", { file: service.file() });
    await server.stop();
    await start();
    await until(await send(apiKey, "0912", 3), "delivered");
    expect(service.asked).toHaveLength(3);
    const { rows } = await operate<{ rows: object[] }>("GET", "/accounts/acc_1/statement?by=network");
    expect(rows).toMatchObject([{ of: "Irancell", messages: 3, price: 150, byTable: 0, byLookup: 3 }]);

    await operate("POST", "/routes/b/disable");
    const waiting = await send(apiKey, "0913", 1);
    await operate("DELETE", "/number-lookup");
    await operate("POST", "/plans/iran/rules", { networks: ["IR-MCI"], targets: [{ routes: ["b"] }] });
    await operate("POST", "/plans/iran/rules", { networks: ["Irancell"], targets: [{ routes: ["a"] }] });
    await operate("DELETE", "/plans/iran/rules/1");
    expect(await until(waiting, "delivered")).toMatchObject([{ route: "a", network: "Irancell" }]);
  } finally {
    await service.stop();
  }
}, 180_000);
