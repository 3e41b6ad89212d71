/** The page about rules, as somebody follows it who wants a webhook for a rule: its commands, against a real receiver. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Customer, eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

// Each command runs in its own process.
setDefaultTimeout(120_000);

const page = join(import.meta.dir, "..", "..", "docs", "inbound-rules.md");
const programsUrl = "https://shop.example.com";

interface Call {
  headers: Headers;
  path: string;
  body: string;
}

let folder: ReturnType<typeof temporaryFolder>;
let peyk: PeykProcess;
let customer: Customer;
let calls: Call[] = [];
let program: Bun.Server<undefined>;

beforeEach(async () => {
  calls = [];
  program = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      calls.push({ headers: request.headers, path: new URL(request.url).pathname, body: await request.text() });
      return calls.length === 1 ? new Response("", { status: 503, headers: { "Retry-After": "1" } }) : new Response();
    },
  });
  folder = temporaryFolder();
  peyk = await PeykProcess.start({ folder: join(folder.path, "data") });
  customer = await peyk.customer();
  await peyk.operate("POST", "/lines", { number: customer.sender, account: customer.accountId });
  mkdirSync(join(folder.path, "bin"));
  writeFileSync(join(folder.path, "bin", "peyk"), `#!/bin/sh\nexec ${peykCommand.join(" ")} "$@"\n`);
  chmodSync(join(folder.path, "bin", "peyk"), 0o755);
});
afterEach(async () => {
  await peyk.stop();
  await program.stop(true);
  folder.remove();
});

async function run(command: string) {
  const env = { ...process.env, PATH: `${folder.path}/bin:${process.env.PATH}`, PEYK_DATA_DIR: peyk.folder };
  const child = Bun.spawn(["sh", "-c", command], { cwd: folder.path, env, stdout: "pipe", stderr: "pipe" });
  const said = (await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])).join("");
  return { exitCode: await child.exited, said };
}

/** The page's commands in their order; the file that it shows is written. */
function recipe(): string[] {
  const [, block = ""] = /```console\n([\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? [];
  return block.split(/^\$ /m).flatMap((part) => {
    const [command = "", ...shown] = part.trim().split("\n");
    const file = /^cat (\S+)$/.exec(command)?.[1];
    if (file !== undefined)
      writeFileSync(join(folder.path, file), shown.join("\n").replace(programsUrl, program.url.origin));
    return command === "" || file !== undefined ? [] : [command];
  });
}

test("the recipe for a webhook of a rule calls a program once, signed, and only where its origin is allowed", async () => {
  const [secret = "", create = "", forward = "", rule = "", ...more] = recipe();
  expect(more).toEqual([]);
  expect((await run(secret)).exitCode).toBe(0);
  const created = await run(create.replace("create", `create --callback-origin ${program.url.origin}`));
  const [credential = ""] = /cred_\d+/.exec(created.said) ?? [];
  expect(created.exitCode).toBe(0);
  const here = (command: string) => run(command.replaceAll("cred_7", credential));
  expect(await here(forward)).toMatchObject({ exitCode: 0 });
  expect(await here(rule)).toMatchObject({ exitCode: 0 });

  await peyk.operate("POST", "/inbound/simulate", {
    from: "+989121234567",
    to: customer.sender,
    message: "Order 2 pizzas",
  });
  await peyk.operate("POST", "/inbound/simulate", { from: "+989121234567", to: customer.sender, message: "hello" });
  await eventually(() => calls.length >= 2);
  const [refused, taken] = calls;
  expect(taken?.body).toBe(refused?.body ?? "");
  expect(taken?.path).toBe("/orders");
  expect(taken?.headers.get("authorization")).toBe("Bearer 5f0c3a");
  expect(JSON.parse(taken?.body ?? "")).toEqual({ from: "+989121234567", text: "2 pizzas", id: expect.any(String) });
  const key = readFileSync(join(folder.path, "orders.secret"), "utf8").trim();
  const at = taken?.headers.get("x-service-timestamp") ?? "";
  const signature = createHmac("sha256", key).update(`${at}.${taken?.body}`).digest("hex");
  expect(taken?.headers.get("x-service-signature")).toBe(`v1=${signature}`);
  expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(300);
  expect(`${peyk.log}${(await run(`peyk credential show ${credential} --json`)).said}`).not.toContain(key);
  expect(calls).toHaveLength(2);
});

test("without its origin, and for private addresses, the template is refused, as is a signature over nothing", async () => {
  const [secret = "", create = "", forward = ""] = recipe();
  await run(secret);
  const credential = /cred_\d+/.exec((await run(create)).said)?.[0] ?? "";
  const here = () => run(forward.replaceAll("cred_7", credential));
  const file = join(folder.path, "orders.json");
  const text = readFileSync(file, "utf8");
  for (const origin of [
    program.url.origin,
    "https://127.0.0.1",
    "https://10.0.0.5",
    "https://[fd00::1]",
    "http://shop.example.com",
  ]) {
    writeFileSync(file, text.replace(program.url.origin, origin));
    const { exitCode, said } = await here();
    expect([origin, exitCode, said]).toEqual([origin, 1, expect.stringContaining("forward.inbound.url")]);
  }
  const get = { signingSecretFile: "orders.secret", inbound: { request: { url: `${programsUrl}/?x={{text}}` } } };
  writeFileSync(file, JSON.stringify(get));
  expect(await here()).toMatchObject({ exitCode: 1, said: expect.stringContaining("forward.inbound.request.method") });
  const kannel = { preset: "kannel", signingSecret: "x".repeat(16), inbound: { url: `${programsUrl}/?x=%b` } };
  writeFileSync(file, JSON.stringify(kannel));
  expect(await here()).toMatchObject({ exitCode: 1, said: expect.stringContaining("forward.inbound.method") });
  for (const [length, code] of [
    [15, 1],
    [16, 0],
    [200, 0],
    [201, 1],
  ] as const) {
    const inbound = { url: `${programsUrl}/`, method: "POST" };
    writeFileSync(file, JSON.stringify({ preset: "kannel", signingSecret: "x".repeat(length), inbound }));
    expect([length, (await here()).exitCode]).toEqual([length, code]);
  }
});
