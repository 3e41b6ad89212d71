/**
 * One request has one time: with a clock that advances by a second at each reading and passes midnight within the
 * request, all of its messages have one time, one price, one validity, and count in the day of that time.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/settings.ts";
import { type Clock, isoTime, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { runCli } from "../support/cli.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { numbersCsv } from "../support/sending-server.ts";
import { temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
const many = 600;
const sender = "30001234";
const recipient = "09121234510";

let now = Date.UTC(2026, 10, 20, 12);
let isTicking = false;
/** Each reading of the clock is a second later than the previous one. */
const clock: Clock = {
  ...systemClock,
  now() {
    if (isTicking) now += 1_000;
    return now;
  },
};
const folder = temporaryFolder();
let server: RunningServer;
let apiKey: string;
let failed: string[];
let requests = 0;

async function peyk(...words: string[]): Promise<string> {
  const { code, out, err } = await runCli([...words, "--data-dir", folder.path]);
  if (code !== 0) throw new Error(err);
  return out;
}

async function post(path: string, body: object): Promise<void> {
  requests += 1;
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Idempotency-Key": `request-${requests}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([202, expect.any(String)]);
}

beforeAll(async () => {
  const flags = {
    data_dir: folder.path,
    listen: "127.0.0.1:0",
    console_listen: "127.0.0.1:0",
    default_time_zone: "UTC",
  };
  const loaded = loadSettings({
    flags: { ...flags, "otp.resend_seconds": "1", "otp.fraud_guard": "true" },
    env: {},
    readFile: () => null,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const environment = { clock, random: systemRandom, log: silentLog, timeAgreedAt: () => now };
  server = await startServer(loaded.settings, environment);
  await peyk("account", "create", "--name", "Customer");
  await peyk("sender", "add", "--account", "acc_1", "--sender", sender);
  const created = await peyk("key", "create", "--account", "acc_1", "--name", "k", "--json");
  apiKey = JSON.parse(created).apiKey;
  await peyk("pattern", "add", "--account", "acc_1", "--code", "ready", "--name", "Ready", "--text", "Dear {{name}}");
  await peyk("pattern", "approve", "ready");
  await peyk("group", "create", "--account", "acc_1", "--code", "all", "--name", "All");
  writeFileSync(join(folder.path, "members.csv"), numbersCsv(many));
  await peyk("group", "import", "all", "--csv", join(folder.path, "members.csv"));
  await peyk("group", "approve", "all");
  // The simulator refuses these.
  const messages = Array.from({ length: 20 }, () => ({ recipient: "09121234502", message: "x" }));
  await post("/v1/messages/batch", { sender, messages });
  const codes = () =>
    rowsIn<{ code: string }>(folder.path, "SELECT tracking_code AS code FROM message WHERE state = 'failed'");
  await eventually(() => codes().length === messages.length);
  failed = codes().map(({ code }) => code);
  await peyk("route", "disable", "simulator");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "1");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "postpaid");
});
afterAll(async () => {
  isTicking = false;
  await server.stop();
  folder.remove();
});

interface Message {
  id: number;
  submittedAt: number;
  sendAt: number | null;
  dueAt: number;
  validUntil: number;
  price: number;
  partCount: number;
}

const lastId = () => rowsIn<{ id: number }>(folder.path, "SELECT coalesce(max(id), 0) AS id FROM message")[0]?.id ?? 0;
const numberOf = (sql: string) => rowsIn<{ n: number | null }>(folder.path, sql)[0]?.n ?? null;
const only = (values: readonly number[]): number => {
  expect([...new Set(values)]).toHaveLength(1);
  return values[0] ?? 0;
};

/** Sends from `looks` readings of the clock before a midnight, at which the price and the day of the quota change. */
async function sendAtMidnight(looks: number, send: () => Promise<void>): Promise<Message[]> {
  const midnight = Math.ceil((now + dayMs) / dayMs) * dayMs;
  now = midnight - dayMs / 2;
  await peyk("quota", "set", "acc_1", "--day", "none");
  await peyk("quota", "set", "acc_1", "--day", "100000");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", String(priceOn(now)));
  await peyk(
    "price",
    "set",
    "retail",
    "--prefix",
    "*",
    "--price",
    String(priceOn(midnight)),
    "--from",
    isoTime(midnight).slice(0, 10),
  );
  const before = lastId();
  now = midnight - looks * 1_000;
  isTicking = true;
  await send();
  isTicking = false;
  const columns =
    "id, submitted_at AS submittedAt, send_at AS sendAt, due_at AS dueAt, valid_until AS validUntil, price, part_count AS partCount";
  const sent = () => rowsIn<Message>(folder.path, `SELECT ${columns} FROM message WHERE id > ${before} ORDER BY id`);
  // A large run enters the queue in slices.
  await eventually(() => sent().every(({ dueAt }) => dueAt !== null));
  return sent();
}

/** Of a day. */
const priceOn = (at: number) => 10 + (Math.floor(at / dayMs) % 1_000);

function expectOneMoment(messages: readonly Message[]): number {
  const at = only(messages.map(({ submittedAt }) => submittedAt));
  expect(only(messages.map(({ price, partCount }) => price / partCount))).toBe(priceOn(at));
  only(messages.map(({ validUntil, sendAt }) => validUntil - (sendAt ?? 0)));
  expect(only(messages.map(({ dueAt, sendAt }) => dueAt - (sendAt ?? at)))).toBe(0);
  const parts = messages.reduce((sum, { partCount }) => sum + partCount, 0);
  const [quota] = rowsIn(folder.path, "SELECT starts_at AS startsAt, parts_used AS partsUsed FROM quota");
  expect(quota).toEqual({ startsAt: Math.floor(at / dayMs) * dayMs, partsUsed: parts });
  return at;
}

const requestTime = () => numberOf("SELECT created_at AS n FROM request ORDER BY id DESC LIMIT 1");
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `0912${1_000_000 + index}`);
const person = (count: number) => async () => {
  requests += 1;
  await operate("POST", "/messages", {
    account: "acc_1",
    sender,
    recipients: numbers(count),
    message: "hi",
    idempotencyKey: `person-${requests}`,
  });
};

async function operate(method: string, path: string, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`http://localhost${path}`, {
    method,
    unix: server.socketPath,
    body: JSON.stringify(body),
    headers,
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const message = { sender, recipient, message: "hi" };
const inAMonth = () => isoTime(now + 20 * dayMs);
const kinds: Record<string, { looks: readonly number[]; send: () => Promise<void> }> = {
  "a single message": { looks: [1, 2, 3, 4, 5, 6], send: () => post("/v1/messages", message) },
  "a scheduled message": {
    looks: [1, 2, 3, 4, 5, 6],
    send: () => post("/v1/messages/scheduled", { ...message, sendAt: inAMonth() }),
  },
  "a batch": {
    looks: [100],
    send: () =>
      post("/v1/messages/batch", {
        sender,
        messages: numbers(500).map((number) => ({ recipient: number, message: "x" })),
      }),
  },
  "a group": { looks: [10, 300, 700], send: () => post("/v1/approved-groups/all/messages", { sender, message: "Hi" }) },
  "a pattern": {
    looks: [1, 2, 3, 4, 5, 6],
    send: () => post("/v1/patterns/ready/messages", { sender, recipient, variables: { name: "Ali" } }),
  },
  "one number of a person": { looks: [1, 2, 3, 4, 5, 6], send: person(1) },
  "some numbers of a person": { looks: [2, 30], send: person(50) },
  "very many numbers of a person": { looks: [10, 300, 700], send: person(many) },
};

for (const [kind, { looks, send }] of Object.entries(kinds)) {
  test(`${kind} has one time throughout`, async () => {
    for (const count of looks) {
      const at = expectOneMoment(await sendAtMidnight(count, send));
      expect(requestTime()).toBe(at);
    }
  });
}

test("a one-time password has one time throughout, with its challenge and its limits", async () => {
  for (const path of ["/v1/otp/challenges", "/v1/otp/codes"]) {
    for (const looks of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const code = path.endsWith("codes") ? { code: "4321" } : {};
      const to = `0912555${String(requests).padStart(4, "0")}`;
      const messages = await sendAtMidnight(looks, () => post(path, { sender, recipient: to, ...code }));
      const at = expectOneMoment(messages);
      const [sent] = rowsIn(
        folder.path,
        "SELECT sent_at AS sentAt, expires_at AS expiresAt FROM otp_send ORDER BY message_id DESC",
      );
      expect(sent).toEqual({ sentAt: at, expiresAt: path.endsWith("codes") ? null : at + 300_000 });
      const hour = "SELECT max(hour_start) AS n FROM otp_range";
      expect(numberOf(hour)).toBe(Math.floor(at / 3_600_000) * 3_600_000);
      expect(requestTime()).toBe(at);
    }
  }
});

test("messages resent in one request have one time throughout", async () => {
  const messages = await sendAtMidnight(10, () =>
    operate("POST", "/messages/resend", { trackingCodes: failed, again: true }),
  );
  expect(messages).toHaveLength(failed.length);
  const at = expectOneMoment(messages);
  expect(numberOf("SELECT max(at) AS n FROM timeline WHERE kind = 'resent'")).toBe(at);
});
