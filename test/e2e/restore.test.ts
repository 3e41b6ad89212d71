/** A service that continues from a copy: nothing is sent twice without an operator's consent, and no cursor returns an id twice. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
let copy: string;
let peyk: PeykProcess;
beforeEach(() => {
  area = temporaryFolder();
  folder = join(area.path, "data");
  copy = join(area.path, "copy.db");
});
afterEach(async () => {
  await peyk.stop();
  area.remove();
});

function command(...argv: string[]): string {
  const run = Bun.spawnSync([...peykCommand, ...argv, "--data-dir", folder], { stdout: "pipe", stderr: "pipe" });
  expect({ argv, code: run.exitCode, err: run.stderr.toString() }).toEqual({ argv, code: 0, err: "" });
  return run.stdout.toString();
}

async function start(): Promise<void> {
  peyk = await PeykProcess.start({ folder });
}

/** A message that waits in the copy and was sent since; its account receives on the line 30001. */
async function sentSinceTheCopy() {
  await start();
  const customer = await peyk.customer();
  const [route] = JSON.parse(command("route", "list", "--json"));
  command("route", "disable", route.name);
  const { body } = await peyk.send(customer);
  const code = body.trackingCode ?? "";
  command("backup", "create", copy);
  command("route", "enable", route.name);
  await eventually(async () => (await peyk.statusOf(customer, code)) === "delivered");
  return { customer, code, route: route.name };
}

test("messages waiting in a restored copy wait until released, and the restore reports how many there are", async () => {
  const { customer, code, route } = await sentSinceTheCopy();
  await peyk.stop();
  expect(command("backup", "restore", copy)).toContain("1 of them still wait and will be sent, also those");
  await start();
  command("route", "enable", route);
  await eventually(() => command("status").includes("Nothing is sent: a copy was restored at"));
  const { body: later } = await peyk.send(customer);
  // A turn of the queue takes at most a second.
  await Bun.sleep(1_500);
  for (const one of [code, later.trackingCode ?? ""]) expect(await peyk.statusOf(customer, one)).toBe("queued");
  expect(command("queue", "release")).toBe("2 messages and 0 callbacks go out now, each as it is due.\n");
  for (const one of [code, later.trackingCode ?? ""]) {
    await eventually(async () => (await peyk.statusOf(customer, one)) === "delivered");
  }
  expect(command("queue", "release")).toStartWith("Nothing is held");
  expect(command("status")).not.toContain("Nothing is sent: a copy");
}, 180_000);

test("messages waiting in a copy restored with --release are sent at the start", async () => {
  const { customer, code, route } = await sentSinceTheCopy();
  await peyk.stop();
  command("backup", "restore", copy, "--release");
  await start();
  command("route", "enable", route);
  await eventually(async () => (await peyk.statusOf(customer, code)) === "delivered");
}, 180_000);

test("a cursor issued after the copy finds every message that arrives after the restore", async () => {
  await start();
  const customer = await peyk.customer();
  command("line", "add", "--number", "30001", "--account", customer.accountId);
  const page = async (after?: string): Promise<{ items: { message: string }[]; nextCursor: string }> => {
    const query = after === undefined ? "" : `?after=${after}`;
    return (await peyk.request(customer, `/v1/inbound-messages${query}`)).json();
  };
  command("inbound", "simulate", "--from", "09121234567", "--to", "30001", "--message", "in the copy");
  command("backup", "create", copy);
  command("inbound", "simulate", "--from", "09121234567", "--to", "30001", "--message", "since the copy");
  const { items, nextCursor } = await page();
  expect(items.map(({ message }) => message)).toEqual(["in the copy", "since the copy"]);
  await peyk.stop();
  command("backup", "restore", copy);
  await start();
  command("inbound", "simulate", "--from", "09121234567", "--to", "30001", "--message", "after the restore");
  expect((await page(nextCursor)).items.map(({ message }) => message)).toEqual(["after the restore"]);
  expect((await page()).items.map(({ message }) => message)).toEqual(["in the copy", "after the restore"]);
}, 180_000);
