/** Test keys on a whole server: only the simulator gets their messages, and only if the sandbox is on. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { loadSettings } from "../../src/config/settings.ts";
import { simulatedNumbers } from "../../src/domain/sandbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { runCli } from "../support/cli.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let server: RunningServer;

async function start(sandbox: boolean): Promise<void> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const env = { PEYK_SANDBOX_ENABLED: String(sandbox) };
  const loaded = loadSettings({ flags, env, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  server = await startServer(loaded.settings, { clock: systemClock, random: systemRandom, log: silentLog });
}

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server.stop();
  folder.remove();
});

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", folder.path]);
const created = async (...argv: string[]) => JSON.parse((await peyk(...argv, "--json")).out);

/** An account whose sender has a route of its own, with a key for tests and a real one. */
async function customer(): Promise<{ test: string; real: string }> {
  await peyk("account", "create", "--name", "Clinic");
  await peyk("route", "add", "live", "--kind", "simulator");
  await peyk("sender", "add", "--account", "acc_1", "--sender", "30001", "--route", "live");
  const key = ["key", "create", "--account", "acc_1", "--name"];
  const { apiKey: test } = await created(...key, "staging", "--test");
  const { apiKey: real } = await created(...key, "backend");
  return { test, real };
}

let posted = 0;
async function post(path: string, apiKey: string, body: object) {
  posted += 1;
  const headers = { "X-API-Key": apiKey, "Idempotency-Key": `key-${posted}`, "Content-Type": "application/json" };
  return fetch(`${server.url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function record(apiKey: string, code: string) {
  const response = await fetch(`${server.url}/v1/messages/${code}`, { headers: { "X-API-Key": apiKey } });
  return await response.json();
}

const routesOf = () =>
  rowsIn<{ text: string; route: string; isTest: number }>(
    folder.path,
    `SELECT text, route.name AS route, is_test AS isTest FROM message JOIN route ON route.id = route_id
     WHERE state = 'delivered' ORDER BY message.id`,
  );

const text = (message: string) => ({ sender: "30001", recipient: "09121234500", message });

test("a test key's messages use the simulator and never the sender's route, however they are sent", async () => {
  await start(true);
  const keys = await customer();
  const sent = await (await post("messages", keys.test, text("single"))).json();
  const { sender, ...item } = text("batch");
  await post("messages/batch", keys.test, { sender, messages: [item] });
  await post("otp/codes", keys.test, { sender, recipient: "09121234510", code: "1234" });
  const real = await (await post("messages", keys.real, text("real"))).json();
  await eventually(() => routesOf().length === 4);
  expect(routesOf().map(({ route, isTest }) => [route, isTest])).toEqual([
    ["sandbox", 1],
    ["sandbox", 1],
    ["sandbox", 1],
    ["live", 0],
  ]);
  expect(await record(keys.test, sent.trackingCode)).toMatchObject({ status: "delivered", isTest: true });
  expect(Object.keys(await record(keys.real, real.trackingCode))).not.toContain("isTest");
  const inbox = await created("simulator", "inbox", "--recipient", "09121234500");
  expect(inbox.map((one: { message: string; route: string }) => [one.message, one.route]).toSorted()).toEqual([
    ["batch", "sandbox"],
    ["real", "live"],
    ["single", "sandbox"],
  ]);
  const counted = rowsIn<{ messages: number }>(folder.path, "SELECT sum(messages) AS messages FROM rollup");
  expect(counted).toEqual([{ messages: 1 }]);
});

test("a test key's messages wait while the simulator is disabled, and no other route takes them", async () => {
  await start(true);
  const keys = await customer();
  await peyk("route", "disable", "sandbox");
  await post("messages", keys.test, text("waits"));
  await post("messages", keys.real, text("real"));
  await eventually(() => routesOf().length === 1);
  expect(routesOf()).toEqual([{ text: "real", route: "live", isTest: 0 }]);
  await peyk("route", "enable", "sandbox");
  await eventually(() => routesOf().length === 2);
  expect(routesOf()[0]).toEqual({ text: "waits", route: "sandbox", isTest: 1 });
});

test("the reference describes the sandbox and the simulator's numbers only while it is on", async () => {
  await start(true);
  const reference = async () => await (await fetch(`${server.url}/v1/openapi.json`)).json();
  const on = await reference();
  expect(on.info.description).toContain("## Test keys");
  for (const { ending, outcome } of simulatedNumbers)
    expect(on.info.description).toContain(`| ${ending} | ${outcome} |`);
  expect(on.components.schemas.MessageRecord.properties.isTest.type).toBe("boolean");
  expect(on.components.schemas.MessageRecord.required).not.toContain("isTest");
  await server.stop();
  await start(false);
  const off = await reference();
  expect(JSON.stringify(off)).not.toContain("isTest");
  expect(off.info.description).toEndWith("A facility for test requests is not active.");
});

test("with the sandbox off no test key is issued, and earlier ones are refused", async () => {
  await start(true);
  const keys = await customer();
  expect((await peyk("key", "list")).out).toMatch(/key_1 .*active, test/);
  await server.stop();
  await start(false);
  const refused = await peyk("key", "create", "--account", "acc_1", "--name", "more", "--test");
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("sandbox.enabled") });
  expect((await post("messages", keys.test, text("none"))).status).toBe(401);
  expect((await post("messages", keys.real, text("real"))).status).toBe(202);
  await eventually(() => routesOf().length === 1);
});
