/** The process as an operator runs it: what it reads, what it logs, how it stops. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, NeverServed, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("a message goes from acceptance to delivery", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  const { status, body } = await peyk.send(customer, { recipient: "۰۹۱۲۱۲۳۴۵۰۰", message: "سلام" });
  expect(status).toBe(202);
  await eventually(async () => (await peyk.statusOf(customer, body.trackingCode ?? "")) === "delivered");
  expect(await peyk.stop()).toBe(0);
});

test("SIGTERM answers or stores what is in flight, and the next start continues with it", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  // The simulator never answers 08; 04 waits for a retry; the load is in flight when the signal arrives.
  const parked = await Promise.all(
    ["08", "04"].map((ending) => peyk.send(customer, { recipient: `091212345${ending}` })),
  );
  const load = Array.from({ length: 200 }, () => peyk.send(customer).catch(() => null));
  const startedAt = performance.now();
  const [exitCode, answers] = await Promise.all([peyk.stop(), Promise.all(load)]);
  expect(exitCode).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(peyk.log).not.toContain("did not stop in time");
  const accepted = answers.flatMap((answer) => (answer?.status === 202 ? [answer.body.trackingCode ?? ""] : []));
  const refused = answers.filter((answer) => answer !== null && answer.status !== 202);
  expect(refused.every((answer) => answer?.body.code === "service_unavailable")).toBe(true);
  const next = await PeykProcess.start({ folder: folder.path });
  for (const code of accepted) {
    await eventually(async () => ["sent", "delivered"].includes(await next.statusOf(customer, code)));
  }
  for (const { body } of parked) expect(await next.statusOf(customer, body.trackingCode ?? "")).toBe("processing");
  expect(await next.stop()).toBe(0);
}, 180_000);

testWith("the binary")("the binary reads no .env and runs no code from the folder where it starts", async () => {
  const mark = join(folder.path, "ran");
  writeFileSync(join(folder.path, ".env"), "PEYK_DEFAULT_REGION=nonsense\nPEYK_LISTEN=nonsense\n");
  writeFileSync(join(folder.path, "preload.ts"), `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "yes");\n`);
  writeFileSync(join(folder.path, "bunfig.toml"), `preload = ["./preload.ts"]\n`);
  const peyk = await PeykProcess.start({ folder: join(folder.path, "data"), cwd: folder.path });
  expect(existsSync(mark)).toBe(false);
  expect(await peyk.stop()).toBe(0);
});

test("the log has one JSON object per line, and no key, code or text", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path, env: { PEYK_LOG_LEVEL: "debug" } });
  const customer = await peyk.customer();
  const secretText = "a text that nobody may read";
  const { body } = await peyk.send(customer, { message: secretText, recipient: "09121234502" });
  await eventually(async () => (await peyk.statusOf(customer, body.trackingCode ?? "")) === "failed");
  await peyk.request(customer, "/v1/messages", { method: "POST", headers: { "X-API-Key": "peyk_wrong" } });
  await peyk.stop();
  const lines = peyk.log.trim().split("\n");
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("msg");
  expect(peyk.log).toContain(body.trackingCode ?? "");
  for (const secret of [customer.apiKey, secretText, "peyk_wrong"]) expect(peyk.log).not.toContain(secret);
});

test("a second process on the same data folder is refused in words", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const second = PeykProcess.start({ folder: folder.path });
  await expect(second).rejects.toThrow(NeverServed);
  await expect(second).rejects.toThrow(/in use by another peyk process/);
  expect((await fetch(`${peyk.url}/healthz`)).status).toBe(200);
  await peyk.stop();
});

test("a data folder written by a newer Peyk is refused in words", async () => {
  await (await PeykProcess.start({ folder: folder.path })).stop();
  const database = new Database(join(folder.path, "peyk.db"));
  database.run("INSERT INTO migration (number, name, sha256, applied_at) VALUES (9999, 'future', 'x', 0)");
  database.close();
  await expect(PeykProcess.start({ folder: folder.path })).rejects.toThrow(/newer Peyk/);
});

test("/healthz, /readyz, the reference and its page need no key", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  for (const path of ["/healthz", "/readyz", "/v1/openapi.json", "/docs"]) {
    const response = await fetch(`${peyk.url}${path}`);
    expect({ path, status: response.status, correlated: response.headers.has("x-correlation-id") }).toEqual({
      path,
      status: 200,
      correlated: true,
    });
  }
  const page = await (await fetch(`${peyk.url}/docs`)).text();
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  await peyk.stop();
});

test("a stop under load answers every message it stored, and the rest with 503", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  const counts = { accepted: 0, refused: 0, late: 0, broken: 0 };
  const sendUntilStopped = async (client: number) => {
    for (let count = 0; ; count += 1) {
      const status = await peyk.send(customer, { key: `${client}-${count}` }).then(
        (answer) => answer.status,
        // On a busy machine a client may send its next request only after the listener has closed.
        (error: { code?: string }) => (error.code === "ECONNREFUSED" ? "late" : 0),
      );
      if (status === 202) counts.accepted += 1;
      else {
        counts[status === 503 ? "refused" : status === "late" ? "late" : "broken"] += 1;
        return;
      }
    }
  };
  const clients = Array.from({ length: 32 }, (_, client) => sendUntilStopped(client));
  await Bun.sleep(300);
  await peyk.stop();
  await Promise.all(clients);
  const [stored] = rowsIn<{ count: number }>(folder.path, "SELECT count(*) AS count FROM message");
  expect({ stored: stored?.count, broken: counts.broken }).toEqual({ stored: counts.accepted, broken: 0 });
});

test("two thousand connections at once are answered, and the service keeps running", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  const answers = await Promise.all(Array.from({ length: 2_000 }, () => peyk.send(customer)));
  expect(answers.every(({ status }) => status === 202)).toBe(true);
  expect((await peyk.send(customer)).status).toBe(202);
  await peyk.stop();
}, 180_000);

test("peyk refuses to start without the key to a waiting one-time password, and creates none", async () => {
  const keyFile = join(folder.path, "secret.key");
  const first = await PeykProcess.start({ folder: folder.path });
  const customer = await first.customer();
  await first.operate("POST", "/routes/simulator/disable");
  const challenge = await first.request(customer, "/v1/otp/challenges", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "otp" },
    body: JSON.stringify({ sender: customer.sender, recipient: "09121234500" }),
  });
  expect(challenge.status).toBe(202);
  await first.stop();
  const key = readFileSync(keyFile, "utf8");
  rmSync(keyFile);
  await expect(PeykProcess.start({ folder: folder.path })).rejects.toThrow(/secret\.key is missing/);
  expect(existsSync(keyFile)).toBe(false);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const second = await PeykProcess.start({ folder: folder.path });
  await second.operate("POST", "/routes/simulator/enable");
  const { trackingCode }: { trackingCode: string } = await challenge.json();
  await eventually(async () => (await second.statusOf(customer, trackingCode)) === "delivered");
  await second.stop();
});

test("the key file and the database are readable by their owner only", async () => {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const { mode } = statSync(join(folder.path, "secret.key"));
  expect(mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder.path, "secret.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  await peyk.stop();
});
