/** Message records, status summaries and cancellation. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Move } from "../../src/store/messages.ts";
import { type Api, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function sent(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<string> {
  const response = await api.send("/v1/messages", singleMessage(changes), crypto.randomUUID(), headers);
  return (await response.json()).trackingCode;
}

/** The dispatcher's state changes, a second apart. */
async function goThrough(trackingCode: string, ...steps: Omit<Move, "at">[]): Promise<void> {
  for (const step of steps) {
    await api.clock.advance(1000);
    await api.store.write(({ messages }) => {
      const row = messages.byCodeAnywhere(trackingCode);
      if (row === null) throw new Error(`There is no message ${trackingCode}`);
      messages.move(row, { ...step, at: api.clock.now() });
    });
  }
}

const record = async (trackingCode: string) => (await api.call("GET", `/v1/messages/${trackingCode}`)).json();
const after = (start: number, seconds: number) => new Date(start + seconds * 1000).toISOString();

test("a delivered message shows the time of each step, with internal states merged into public ones", async () => {
  const trackingCode = await sent();
  const start = api.clock.now();
  await goThrough(
    trackingCode,
    { to: "submitting" },
    { to: "retry_wait", dueAt: start },
    { to: "submitting" },
    { to: "submitted" },
    { to: "delivered" },
  );
  const message = await record(trackingCode);
  expect(message).toMatchObject({
    status: "delivered",
    error: null,
    submittedAt: after(start, 0),
    sentAt: after(start, 4),
    deliveredAt: after(start, 5),
    updatedAt: after(start, 5),
  });
  expect(
    message.history.map(({ status, changedAt }: { status: string; changedAt: string }) => [status, changedAt]),
  ).toEqual([
    ["queued", after(start, 0)],
    ["processing", after(start, 1)],
    ["sent", after(start, 4)],
    ["delivered", after(start, 5)],
  ]);
});

test("a failed message has a public error code, and no time of delivery", async () => {
  const trackingCode = await sent();
  await goThrough(
    trackingCode,
    { to: "submitting" },
    { to: "submitted" },
    { to: "failed", errorCode: "recipient_unreachable" },
  );
  expect(await record(trackingCode)).toMatchObject({
    status: "failed",
    error: { code: "recipient_unreachable", message: "The recipient could not be reached." },
    deliveredAt: null,
  });
});

test("a message delivered after a retry has no error", async () => {
  const trackingCode = await sent();
  await goThrough(
    trackingCode,
    { to: "submitting" },
    { to: "retry_wait", errorCode: "internal", dueAt: api.clock.now() },
  );
  expect(await record(trackingCode)).toMatchObject({ status: "processing", error: null });
});

test("a queued message can be cancelled, and cancelling it again gives the same answer", async () => {
  const trackingCode = await sent();
  await api.clock.advance(5000);
  const cancelledAt = new Date(api.clock.now()).toISOString();
  const cancel = () => api.call("POST", `/v1/messages/${trackingCode}/cancel`);
  const first = await cancel();
  expect([first.status, await first.json()]).toEqual([200, { trackingCode, status: "cancelled", cancelledAt }]);
  await api.clock.advance(5000);
  const again = await cancel();
  expect([again.status, await again.json()]).toEqual([200, { trackingCode, status: "cancelled", cancelledAt }]);
  expect(await record(trackingCode)).toMatchObject({ status: "cancelled", error: null, updatedAt: cancelledAt });
});

const past: [string, Omit<Move, "at">[]][] = [
  ["being sent", [{ to: "submitting" }]],
  ["sent", [{ to: "submitting" }, { to: "submitted" }]],
  ["delivered", [{ to: "submitting" }, { to: "submitted" }, { to: "delivered" }]],
  ["failed", [{ to: "failed", errorCode: "expired" }]],
];
test.each(past)("a message that is %s cannot be cancelled, and keeps its state", async (_, steps) => {
  const trackingCode = await sent();
  await goThrough(trackingCode, ...steps);
  const before = await record(trackingCode);
  const response = await api.call("POST", `/v1/messages/${trackingCode}/cancel`);
  expect([response.status, (await response.json()).code]).toEqual([409, "message_not_cancellable"]);
  expect(await record(trackingCode)).toEqual(before);
});

test("another account's message is answered like one that never existed", async () => {
  const other = await api.customer();
  const theirs = await sent({}, { "X-API-Key": other.apiKey });
  const asked = async (code: string) => {
    const headers = { "X-Correlation-Id": "same" };
    const get = await api.call("GET", `/v1/messages/${code}`, { headers });
    const cancel = await api.call("POST", `/v1/messages/${code}/cancel`, { headers });
    const status = await api.call("POST", "/v1/messages/status", { headers, body: { trackingCodes: [code] } });
    return [get.status, await get.json(), cancel.status, await cancel.json(), status.status, await status.json()];
  };
  const never = await asked("01KAGZ4M8Q3T9X2B4N7K1R0YAV");
  expect(never).toMatchObject([404, { code: "message_not_found" }, 404, { code: "message_not_found" }, 200, []]);
  expect(await asked(theirs)).toEqual(never);
});

const noCodes = [
  "x",
  "%00",
  "%zz",
  "%",
  "a%2Fb",
  "..%2f..",
  "01kagz4m8q3t9x2b4n7k1r0yav",
  "0".repeat(5000),
  "%D8%B3",
  "'%20OR%201=1",
];
test.each(noCodes)("%s is not a known tracking code", async (code) => {
  const response = await api.call("GET", `/v1/messages/${code}`);
  expect([response.status, (await response.json()).code]).toEqual([404, "message_not_found"]);
});

test("a status request returns the messages found, in the order of the request, without repeats", async () => {
  const [one, two] = [await sent({ clientReference: "first" }), await sent()];
  await goThrough(two, { to: "submitting" });
  const unknown = ["01KAGZ4M8Q3T9X2B4N7K1R0YAV", "", "nonsense", "x".repeat(100)];
  const trackingCodes = [two, ...unknown, one, two, one];
  const response = await api.call("POST", "/v1/messages/status", { body: { trackingCodes } });
  expect(response.status).toBe(200);
  const summaries = await response.json();
  expect(summaries.map(({ trackingCode }: { trackingCode: string }) => trackingCode)).toEqual([two, one]);
  expect(summaries[1]).toEqual({
    trackingCode: one,
    clientReference: "first",
    sender: "982000123",
    recipient: "+989121234567",
    status: "queued",
    partCount: 1,
    submittedAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(summaries[0]).toMatchObject({ status: "processing", clientReference: null });
});
