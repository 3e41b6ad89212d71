/** A recipient who asks to be erased: nothing of the number, its texts and references stays in the data folder, even after a restore. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Customer, eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
let peyk: PeykProcess;
beforeEach(() => {
  area = temporaryFolder();
  folder = join(area.path, "data");
});
afterEach(async () => {
  await peyk.stop();
  area.remove();
});

const number = "+989121239876";
const national = "09121239876";
const neighbour = "09121239877";
const words = "tulips-and-roses";
const reference = "file-of-mrs-example";
/** None of these may remain. The last digits cover every spelling. */
const traces = ["9121239876", "121239876", words, reference];

function run(...argv: string[]): { code: number; out: string; err: string } {
  const ran = Bun.spawnSync([...peykCommand, ...argv, "--data-dir", folder], { stdout: "pipe", stderr: "pipe" });
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() };
}

function command(...argv: string[]): string {
  const { code, out, err } = run(...argv);
  expect({ argv, code, err }).toEqual({ argv, code: 0, err: "" });
  return out;
}

async function start(): Promise<void> {
  const env = { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: "127.0.0.1:9", PEYK_SUPPRESSION_STOP_REPLY: "Bye." };
  peyk = await PeykProcess.start({ folder, env });
}

/** Files of the folder that contain one of the traces, in UTF-8 or UTF-16, with the trace. */
function tracesIn(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    const stat = statSync(file);
    if (stat.isDirectory()) return tracesIn(file);
    if (!stat.isFile()) return [];
    const content = readFileSync(file);
    return traces.flatMap((trace) =>
      content.includes(trace) || content.includes(Buffer.from(trace, "utf16le")) ? [`${name}: ${trace}`] : [],
    );
  });
}

async function post(customer: Customer, path: string, body: object, key = `${path}-${performance.now()}`) {
  const response = await peyk.request(customer, path, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });
  const answer: Record<string, string> = await response.json();
  expect({ path, ok: response.ok, answer: response.ok ? {} : answer }).toEqual({ path, ok: true, answer: {} });
  return answer;
}

/** The number in every table that can hold one. */
async function live(): Promise<Customer> {
  const customer = await peyk.customer();
  await post(customer, "/v1/webhooks", {
    url: "https://127.0.0.1:9/hook",
    events: ["message.status", "inbound.received"],
  });
  const message = { sender: customer.sender, recipient: national, message: words, clientReference: reference };
  await post(customer, "/v1/messages", message, `order-${national}`);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await post(customer, "/v1/messages/scheduled", { ...message, sendAt: later });
  await post(customer, "/v1/otp/challenges", { sender: customer.sender, recipient: national });
  await post(customer, "/v1/messages", { ...message, recipient: neighbour, message: "hi", clientReference: "other" });
  const csv = join(area.path, "members.csv");
  const rows = [
    ["09121239000", ""],
    [national, words],
    [neighbour, ""],
    ["09121239001", ""],
  ];
  writeFileSync(csv, `mobile,fullName\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  command("group", "create", "--account", "acc_1", "--code", "friends", "--name", "Friends");
  command("group", "import", "friends", "--csv", csv);
  command("group", "approve", "friends");
  command("line", "add", "--number", customer.sender, "--account", "acc_1");
  command("inbound", "simulate", "--from", national, "--to", customer.sender, "--message", words);
  command("inbound", "simulate", "--from", national, "--to", customer.sender, "--message", "STOP");
  command("suppression", "add", national, "--note", "asked by phone");
  command("suppression", "add", neighbour);
  run("suppression", "remove", "۰۹۱۲ ۱۲۳ ۹۸۷۶", "--account", "acc_1");
  command("suppression", "add", national, "--account", "acc_1");
  await eventually(() => command("message", "search", "--recipient", national, "--json").includes("delivered"));
  return customer;
}

test("everything stored about a number can be exported", async () => {
  await start();
  await live();
  const record = JSON.parse(command("recipient", "export", national, "--json"));
  expect(record).toMatchObject({ number, incompleteInbound: 0, oneTimePasswords: 1, groups: [{ position: 1 }] });
  expect(record.messages.map(({ text }: { text: string }) => text)).toContain(words);
  expect(record.messages.flatMap(({ events }: { events: unknown[] }) => events).length).toBeGreaterThan(2);
  expect(record.inbound).toMatchObject([{ sender: number, text: words }, { text: "STOP" }]);
  expect(record.suppressions.map(({ account }: { account: string | null }) => account)).toEqual([null, "acc_1"]);
  expect(JSON.stringify(record)).not.toContain("121239877");
}, 180_000);

test("an erased number is nowhere in the folder, stays suppressed, and its neighbours are untouched", async () => {
  await start();
  const customer = await live();
  expect(tracesIn(folder).length).toBeGreaterThan(0);
  expect(run("recipient", "erase", national).code).toBe(2);
  const erased = command("recipient", "erase", national, "--yes");
  expect(erased).toMatch(/^Erased: 4 messages, 2 received, 1 in groups, 1 one-time passwords\./);
  expect(erased).toContain("stays on its suppression lists");
  expect(tracesIn(folder)).toEqual([]);

  // The scheduled message is cancelled, the others keep what figures count.
  const messages = JSON.parse(command("message", "search", "--json"));
  const states = messages.map(({ recipient, status }: Record<string, string>) => `${recipient} ${status}`);
  expect(states.filter((state: string) => state.startsWith(" ")).sort()).toEqual([
    " cancelled",
    " delivered",
    " delivered",
    " delivered",
  ]);
  expect(states).toContain("+989121239877 delivered");
  expect(command("suppression", "show", national)).toContain("all accounts");
  const group = JSON.parse(command("group", "show", "friends", "--json"));
  expect(group).toMatchObject({ recipientCount: 3 });

  // Bulk is still blocked; the rest of the group is sent.
  await post(customer, "/v1/approved-groups/friends/messages", { sender: customer.sender, message: "news" });
  await post(customer, "/v1/messages/batch", {
    sender: customer.sender,
    messages: [{ recipient: national, message: "again" }],
  });
  await eventually(() => command("message", "search", "--recipient", national, "--json").includes('"blocked"'));
  expect(command("audit", "list", "--action", "recipient.erase")).toContain("done");
}, 180_000);

test("an earlier copy is cleaned of an erased number when it is restored", async () => {
  await start();
  await live();
  const copy = join(area.path, "copy.db");
  command("backup", "create", copy);
  command("recipient", "erase", national, "--yes");
  await peyk.stop();
  command("backup", "restore", copy);
  for (const name of readdirSync(folder)) if (name.includes("before-restore")) rmSync(join(folder, name));
  expect(tracesIn(folder).length).toBeGreaterThan(0);
  await start();
  expect(tracesIn(folder)).toEqual([]);
  expect(command("suppression", "show", national)).toContain("all accounts");
  expect(JSON.parse(command("recipient", "export", neighbour, "--json")).messages).toHaveLength(1);
}, 180_000);
