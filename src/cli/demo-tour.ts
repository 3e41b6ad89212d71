/** The first half of the demo: real requests to the public API, each printed with its answer and the message's history. */
import { type Static, type TSchema, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { CommandFailed } from "./errors.ts";

export interface DemoAccount {
  url: string;
  apiKey: string;
  sender: string;
}

export type Say = (line: string) => void;

export const sendResultSchema = t.Object({
  trackingCode: t.String(),
  status: t.String(),
  encoding: t.String(),
  characterCount: t.Number(),
  partCount: t.Number(),
  submittedAt: t.String(),
  duplicate: t.Boolean(),
});

const messageRecord = t.Object({
  status: t.String(),
  error: t.Union([t.Null(), t.Object({ code: t.String(), message: t.String() })]),
  history: t.Array(t.Object({ status: t.String(), note: t.String(), changedAt: t.String() })),
});

const cancelResult = t.Object({ trackingCode: t.String(), status: t.String(), cancelledAt: t.String() });

const finalStatuses = ["delivered", "failed", "cancelled"];
const pollMs = 40;
/** Slightly above the API's minimum of 30 s. */
const scheduledMs = 32_000;

/** Sends single and scheduled messages; returns the tracking code of one that is still scheduled. */
export async function messageTour(account: DemoAccount, say: Say): Promise<{ scheduled: string }> {
  const send = (body: object, key: string, path = "/v1/messages") => sendOne(account, say, path, body, key);
  const { sender } = account;

  say("\n1. A Persian message, watched until it is delivered");
  const persian = { sender, recipient: "09120000000", message: "سلام! این نخستین پیام شما با پیک است." };
  const first = await send(persian, "tour-1");
  await watch(account, first.trackingCode, say);

  say("\n2. The same request again, as after a lost answer: the same message, not a second one");
  await send(persian, "tour-1");

  say("\n3. One that fails, and why");
  const failing = await send({ sender, recipient: "09120000001", message: "Nobody is there" }, "tour-2");
  await watch(account, failing.trackingCode, say);

  say("\n4. A scheduled one");
  const sendAt = new Date(Date.now() + scheduledMs).toISOString();
  const later = { sender, recipient: "09120000000", message: "یادآوری نوبت", sendAt };
  const scheduled = await send(later, "tour-3", "/v1/messages/scheduled");
  await showHistory(account, scheduled.trackingCode, say);

  say("\n5. A scheduled one that is cancelled in time");
  const unwanted = await send({ ...later, message: "Never mind" }, "tour-4", "/v1/messages/scheduled");
  const path = `/v1/messages/${unwanted.trackingCode}/cancel`;
  say(`   POST ${path}`);
  const cancelled = await request(account, cancelResult, path, { method: "POST" });
  say(`   ${cancelled.httpStatus} ${cancelled.body.status} at ${cancelled.body.cancelledAt}`);
  await showHistory(account, unwanted.trackingCode, say);

  return { scheduled: scheduled.trackingCode };
}

/** Prints the history of the scheduled message until it is final. */
export async function watchScheduled(account: DemoAccount, trackingCode: string, say: Say): Promise<void> {
  say(`The scheduled message ${trackingCode} is due in half a minute:`);
  await watch(account, trackingCode, say);
}

async function sendOne(account: DemoAccount, say: Say, path: string, body: object, key: string) {
  const { httpStatus, body: result } = await post(account, say, path, body, key, sendResultSchema);
  const size = `${result.encoding}, ${result.characterCount} characters, ${result.partCount} part`;
  say(`   ${httpStatus} ${result.trackingCode} ${result.status}, duplicate: ${result.duplicate} (${size})`);
  return result;
}

/** Prints and sends a request with an idempotency key. */
export function post<Schema extends TSchema>(
  account: DemoAccount,
  say: Say,
  path: string,
  body: object,
  key: string,
  schema: Schema,
) {
  const json = JSON.stringify(body);
  say(`   POST ${path}  Idempotency-Key: ${key}\n   ${json}`);
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return request(account, schema, path, { method: "POST", body: json, headers });
}

export async function showHistory(account: DemoAccount, trackingCode: string, say: Say): Promise<void> {
  const { body } = await request(account, messageRecord, `/v1/messages/${trackingCode}`);
  for (const step of body.history) say(`     ${step.status.padEnd(10)}  ${step.note}`);
}

/** Prints each step of the history once, until the message is final. */
async function watch(account: DemoAccount, trackingCode: string, say: Say): Promise<void> {
  say(`   GET /v1/messages/${trackingCode}`);
  let printed = 0;
  for (;;) {
    const { body } = await request(account, messageRecord, `/v1/messages/${trackingCode}`);
    const acceptedAt = Date.parse(body.history[0]?.changedAt ?? "");
    for (const step of body.history.slice(printed)) {
      const elapsedMs = Date.parse(step.changedAt) - acceptedAt;
      say(`     ${`+${elapsedMs} ms`.padStart(9)}  ${step.status.padEnd(10)}  ${step.note}`);
    }
    printed = body.history.length;
    if (body.error !== null) say(`                ${body.error.code}: ${body.error.message}`);
    if (finalStatuses.includes(body.status)) return;
    await Bun.sleep(pollMs);
  }
}

export async function request<Schema extends TSchema>(
  { url, apiKey }: DemoAccount,
  schema: Schema,
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<{ httpStatus: number; body: Static<Schema> }> {
  const response = await fetch(url + path, { ...init, headers: { ...init.headers, "x-api-key": apiKey } });
  const body: unknown = await response.json();
  if (response.ok && Value.Check(schema, body)) return { httpStatus: response.status, body };
  throw new CommandFailed("demo_failed", `${path} answered ${response.status} ${JSON.stringify(body)}`);
}
