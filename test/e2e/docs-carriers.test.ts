/** The pages about carriers, as an operator follows them: every file is written, every command run against real counterparts. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isKannelInstalled, type Kannel, startKannel } from "../support/kannel.ts";
import { type Customer, eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { Smsc } from "../support/smsc.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

// Each command runs in its own process.
setDefaultTimeout(60_000);

const docs = join(import.meta.dir, "..", "..", "docs");
const secrets = {
  "operator-a.password": "s3cret12",
  "kannel.password": "geheim",
  "provider.token": "t",
  "provider.secret": "0123456789abcdef",
};
const folder = temporaryFolder();
let smsc: Smsc;
let kannel: Kannel | null = null;
let peyk: PeykProcess;
let customer: Customer;

interface Run {
  command: string;
  exitCode: number;
  said: string;
}

/** Replaces the addresses and files of the pages' examples by this test's. */
function here(text: string): string {
  return text
    .replaceAll("10.20.30.40", "127.0.0.1")
    .replaceAll('"port": 2775', `"port": ${smsc.port}`)
    .replaceAll("http://127.0.0.1:13013/cgi-bin/sendsms", kannel?.sendsmsUrl ?? "http://127.0.0.1:9/")
    .replaceAll("http://127.0.0.1:8080", peyk.url)
    .replaceAll("acc_1", customer.accountId);
}

async function run(command: string, stdin: string): Promise<Run> {
  const child = Bun.spawn(["sh", "-c", command], {
    cwd: folder.path,
    env: {
      ...process.env,
      PATH: `${folder.path}/bin:${process.env.PATH}`,
      PEYK_DATA_DIR: peyk.folder,
      KEY: customer.apiKey,
    },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])).join("");
  return { command, exitCode: await child.exited, said };
}

/** Writes every file that the page shows, then runs its commands in order. */
async function follow(page: string): Promise<Run[]> {
  const text = await Bun.file(join(docs, page)).text();
  for (const [, name = "", content = ""] of text.matchAll(/^`([\w.-]+\.json)`:\n\n```json\n([\s\S]*?)```/gm)) {
    writeFileSync(join(folder.path, name), here(content));
  }
  const runs: Run[] = [];
  for (const [, block = ""] of text.matchAll(/^```console\n([\s\S]*?)```/gm)) {
    for (const line of block.trim().split("\n")) runs.push(await followLine(line.replace(/^\$ /, "")));
  }
  expect(runs.length).toBeGreaterThan(3);
  return runs;
}

async function followLine(line: string): Promise<Run> {
  const file = /^install .* (\S+)$/.exec(line)?.[1];
  const typed = Object.entries(secrets).find(([name]) => name === file)?.[1];
  return run(here(line).replace("CODE", await aTrackingCode()), typed === undefined ? "" : `${typed}\n`);
}

async function aTrackingCode(): Promise<string> {
  const { messages } = await peyk.operate("GET", "/messages?limit=1");
  const [newest] = Array.isArray(messages) ? messages : [];
  return newest?.trackingCode ?? "NONE";
}

const failures = (runs: readonly Run[]) => runs.filter(({ exitCode }) => exitCode !== 0);

beforeAll(async () => {
  smsc = await Smsc.start({ password: "s3cret12", receipts: { when: "after" } });
  peyk = await PeykProcess.start({ folder: join(folder.path, "data") });
  if (isKannelInstalled()) kannel = await startKannel({ smscPort: smsc.port, username: "peyk", password: "geheim" });
  customer = await peyk.customer("30009999");
  mkdirSync(join(folder.path, "bin"));
  writeFileSync(join(folder.path, "bin", "peyk"), `#!/bin/sh\nexec ${peykCommand.join(" ")} "$@"\n`);
  chmodSync(join(folder.path, "bin", "peyk"), 0o755);
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder.path, name), `${secret}\n`);
});

afterAll(async () => {
  await peyk.stop();
  await kannel?.stop();
  await smsc.stop();
  folder.remove();
});

test('every command of the page "Connect your SMSC" works, and a message arrives', async () => {
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "b", password: "s3cret12" };
  await peyk.operate("POST", "/routes", { name: "operator-b", kind: "smpp", options });
  const runs = await follow("connect-your-smsc.md");
  expect(failures(runs)).toEqual([]);
  expect(runs.find(({ command }) => command.includes("route test"))?.said).toContain("The route works.");
  await eventually(() => smsc.submits.some(({ text }) => text === "سلام"));
});

test('every command of the page "When receipts do not match" works', async () => {
  await smsc.deliver({ esm_class: 4, data_coding: 0, short_message: Buffer.from("id:12513025 stat:DELIVRD err:000") });
  const runs = await follow("when-receipts-do-not-match.md");
  expect(failures(runs)).toEqual([]);
  const said = await run("peyk route receipts operator-a; peyk route receipts operator-b", "");
  expect(said.said).toContain("12513025");
});

testWith("bearerbox", "smsbox")(
  'every command of the page "Connect an HTTP provider" works, for Kannel and for the template',
  async () => {
    const runs = await follow("connect-an-http-provider.md");
    expect(failures(runs)).toEqual([]);
    expect(runs.find(({ command }) => command.includes("route test"))?.said).toContain("The route works.");
    const shown = runs.find(({ command }) => command.includes("route show"))?.said ?? "";
    expect(shown).toMatch(/Receipts to +http:\/\/127\.0\.0\.1:\d+\/callbacks\/kannel\/[0-9a-f]{48}\/receipts/);
  },
);

test("route test --to sends a text, and shows its octets and the carrier's answer", async () => {
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "t", password: "s3cret12", charset: "latin1" };
  await peyk.operate("POST", "/routes", { name: "latin", kind: "smpp", options });
  await eventually(async () => (await peyk.operate("GET", "/routes/latin")).up === true);
  const nobody = await run("peyk route test latin --to 09121234567", "");
  expect([nobody.exitCode, nobody.said]).toEqual([1, expect.stringContaining("no sender uses the route")]);
  const before = smsc.submits.length;
  const { exitCode, said } = await run("peyk route test latin --to 09121234567 --from 30001111 --text 'é {@}'", "");
  expect([exitCode, said]).toEqual([
    0,
    expect.stringMatching(
      /ok +write +from 30001111 \(3\/0\) to 989121234567 \(1\/1\), esm_class 0x00, data_coding 0, 5 octets: e9 20 7b 40 7d\nok +submit +the carrier took it as [0-9a-f]{8}\nThe route works\./,
    ),
  ]);
  expect(smsc.submits.slice(before).map(({ destination }) => destination.address)).toEqual(["989121234567"]);
  expect((await run("peyk route test latin --text x", "")).exitCode).toBe(2);
  expect((await run("peyk route test latin --to 12 --from 30001111", "")).said).toContain("to: is no mobile number");
});

test("route test reports that credentials were not tried if the route file does not say how", async () => {
  const options = { request: { url: `http://127.0.0.1:${smsc.port}/send` } };
  await peyk.operate("POST", "/routes", { name: "plain-http", kind: "http", options });
  const { exitCode, said } = await run("peyk route test plain-http", "");
  expect(exitCode).toBe(0);
  expect(said).toMatch(/ok +connect .*\n- +login +credentials not tried: .*"probe".*\nWhat was tried works\.\n/);
});

test("route test exits with 1 if the route does not work, and names every problem of a bad file", async () => {
  writeFileSync(join(folder.path, "bad.json"), '{"host":"127.0.0.1","prt":1,"window":"ten"}');
  const bad = await run("peyk route add bad --kind smpp --config bad.json", "");
  expect(bad.exitCode).toBe(1);
  for (const problem of ["port: is required", "systemId: is required", 'did you mean "port"', "window: must be"])
    expect(bad.said).toContain(problem);
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "x", password: "wrong" };
  await peyk.operate("POST", "/routes", { name: "wrong", kind: "smpp", options });
  const tried = await run("peyk route test wrong", "");
  expect(tried.exitCode).toBe(1);
  expect(tried.said).toContain("ESME_RINVPASWD");
});
