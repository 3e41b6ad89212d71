/** kill -9 at any moment: acknowledged messages exist, each key has one message, and every message ends. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { faultRounds } from "../support/fault-share.ts";
import { type Customer, eventually, NeverServed, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { figuresIn } from "../support/rollups.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** What a customer knows: the code acknowledged for each key, or null if the connection broke. */
type Memory = Map<string, string | null>;

const clients = 16;

/** Sends as fast as one client can, until the process is gone. */
async function sendUntilGone(peyk: PeykProcess, customer: Customer, memory: Memory, name: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    const key = `${name}-${count}`;
    memory.set(key, null);
    try {
      const { status, body } = await peyk.send(customer, { key });
      if (status === 202 && body.trackingCode !== undefined) memory.set(key, body.trackingCode);
    } catch {
      return;
    }
  }
}

/** For unknown outcomes, the customer asks again with the same key; afterwards each key has a code. */
async function learn(peyk: PeykProcess, customer: Customer, memory: Memory): Promise<void> {
  for (const [key, code] of memory) {
    const { status, body } = await peyk.send(customer, { key });
    expect([200, 202]).toContain(status);
    if (code !== null) expect({ key, ...body }).toMatchObject({ key, trackingCode: code, duplicate: true });
    memory.set(key, body.trackingCode ?? null);
  }
}

const kills = faultRounds(20, 8);
/** Every fsync, or every third, from a random one. */
const fsyncStep = faultRounds(1, 3);

function expectFiguresOfEveryMessage(path: string): void {
  const { rollups, counted } = figuresIn(path);
  expect(rollups).toEqual(counted);
}

const question = <Row>(sql: string): Row[] => rowsIn<Row>(folder.path, sql);

test(
  `${kills} kills (SIGKILL) under load lose no acknowledged message`,
  async () => {
    let peyk = await PeykProcess.start({ folder: folder.path });
    const customer = await peyk.customer();
    const memory: Memory = new Map();
    for (let round = 0; round < kills; round += 1) {
      const load = Array.from({ length: clients }, (_, client) =>
        sendUntilGone(peyk, customer, memory, `${round}-${client}`),
      );
      await Bun.sleep(50 + Math.random() * 250);
      await peyk.kill();
      await Promise.all(load);
      expectFiguresOfEveryMessage(folder.path);
      peyk = await PeykProcess.start({ folder: folder.path });
      const recent = new Map([...memory].filter(([key]) => key.startsWith(`${round}-`)));
      await learn(peyk, customer, recent);
      for (const [key, code] of recent) memory.set(key, code);
    }
    const codes = [...memory.values()];
    expect(codes).not.toContain(null);
    expect(new Set(codes).size).toBe(memory.size);
    const waiting =
      "SELECT count(*) AS n FROM message WHERE state NOT IN ('delivered', 'failed', 'cancelled', 'submitted')";
    await eventually(() => question<{ n: number }>(waiting)[0]?.n === 0, 30_000);
    expect(await peyk.stop()).toBe(0);
    expect(question<{ n: number }>("SELECT count(*) AS n FROM message")).toEqual([{ n: memory.size }]);
    expect(question("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(question("PRAGMA foreign_key_check")).toEqual([]);
    const stored = question<{ code: string }>("SELECT tracking_code AS code FROM message").map(({ code }) => code);
    expect(stored.sort()).toEqual(codes.map(String).sort());
  },
  { timeout: 120_000 },
);

/** A short scenario with a write at every step; it ends early if the process dies. */
async function story(
  peyk: PeykProcess,
  acknowledged: { codes: string[]; cancelled: string[] },
): Promise<Customer | null> {
  const customer = await peyk.customer();
  for (const recipient of ["09121234500", "09121234504", "09121234501"]) {
    const { body } = await peyk.send(customer, { recipient });
    if (body.trackingCode !== undefined) acknowledged.codes.push(body.trackingCode);
  }
  const later = await peyk.request(customer, "/v1/messages/scheduled", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "later" },
    body: JSON.stringify({
      sender: customer.sender,
      recipient: "09121234500",
      message: "later",
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  const { trackingCode }: { trackingCode?: string } = await later.json();
  if (trackingCode === undefined) return customer;
  acknowledged.codes.push(trackingCode);
  const cancel = await peyk.request(customer, `/v1/messages/${trackingCode}/cancel`, { method: "POST" });
  if (cancel.status === 200) acknowledged.cancelled.push(trackingCode);
  return customer;
}

/** Kills at one fsync of a start and the scenario that follows; true if the scenario ended before it. */
async function survives(data: string, when: number): Promise<boolean> {
  const prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"];
  const inject = ["-e", `inject=fsync,fdatasync:signal=KILL:when=${when}`];
  const acknowledged = { codes: [], cancelled: [] as string[] };
  const before = await PeykProcess.start({ folder: data, prefix: [...prefix, ...inject] }).catch((reason: unknown) => {
    if (!(reason instanceof NeverServed)) throw reason;
    return null;
  });
  let survived = false;
  if (before !== null) {
    survived = await story(before, acknowledged).then(
      () => true,
      () => false,
    );
    if (survived) await before.stop();
    else await before.exited;
    expectFiguresOfEveryMessage(data);
  }
  const after = await PeykProcess.start({ folder: data });
  for (const code of acknowledged.codes) {
    const status = await after.operate("GET", `/messages/${code}`).then((message) => String(message.status));
    if (acknowledged.cancelled.includes(code)) expect({ when, status }).toEqual({ when, status: "cancelled" });
  }
  await after.stop();
  return survived;
}

testWith("strace")(
  "a kill (SIGKILL) at an fsync of a short run is survived",
  async () => {
    const begun = join(folder.path, "begun");
    await (await PeykProcess.start({ folder: begun })).stop();
    const first = 1 + Math.floor(Math.random() * fsyncStep);
    for (let when = first, survived = false; !survived; when += fsyncStep) {
      expect(when).toBeLessThan(60);
      const data = join(folder.path, `at-${when}`);
      cpSync(begun, data, { recursive: true });
      survived = await survives(data, when);
    }
  },
  { timeout: 180_000 },
);

/** Each migration has its own transaction, so many are alike. */
const fsyncsSkipped = faultRounds(6, 20);

testWith("strace")(
  "a kill (SIGKILL) at an fsync of the first start is survived",
  async () => {
    for (let when = 1, survived = false; !survived; when += 1 + fsyncsSkipped) {
      expect(when).toBeLessThan(120);
      survived = await survives(join(folder.path, `at-${when}`), when);
    }
  },
  { timeout: 180_000 },
);
