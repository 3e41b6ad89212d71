/** Polling for received messages, as a customer's backend does it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { cursorText } from "../../src/inbound/cursor.ts";
import { type Inbound, openInbound } from "../../src/inbound/inbound.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type Api, startApi } from "../support/api.ts";

const path = "/v1/inbound-messages";
const line = "30001234";
const phone = "+989121234567";

let api: Api;
let inbound: Inbound;
beforeEach(async () => {
  api = await startApi();
  inbound = openInbound({
    store: api.store,
    clock: api.clock,
    random: systemRandom,
    log: silentLog,
    trackingCodes: trackingCodes(api.clock, systemRandom),
    settings: { defaultRegion: "IR", reassemblyTimeoutMs: 600_000, retentionDays: 90 },
  });
  await inbound.lines.add(api.accountId, line);
});
afterEach(() => api.stop());

const write = (text: string, sender = phone, receiver = line) =>
  inbound.take(1, { sender, receiver, text, receivedAt: api.clock.now() });

interface Page {
  items: { trackingCode: string; sender: string; receiver: string; message: string; receivedAt: string }[];
  nextCursor: string;
  hasMore: boolean;
}

async function get(query: Record<string, string> | string = {}, headers: Record<string, string | null> = {}) {
  const response = await api.call("GET", `${path}?${new URLSearchParams(query)}`, { headers });
  return { status: response.status, body: await response.json() };
}

async function page(query: Record<string, string> | string = {}): Promise<Page> {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  return body;
}

const textsOf = (one: Page) => one.items.map(({ message }) => message);

async function problemsOf(query: Record<string, string> | string): Promise<string[]> {
  const { status, body } = await get(query);
  expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_failed" });
  expect(body.correlationId).toEqual(expect.any(String));
  return body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
}

test("a received message has five fields, and the page has a cursor", async () => {
  await write("بله");
  expect(await page()).toEqual({
    items: [
      {
        trackingCode: expect.stringMatching(/^[0-9A-Z]{26}$/),
        sender: phone,
        receiver: line,
        message: "بله",
        receivedAt: "2026-11-20T15:36:00.000Z",
      },
    ],
    nextCursor: expect.any(String),
    hasMore: false,
  });
});

test("an account without messages gets an empty page and a cursor that finds the first one later", async () => {
  const empty = await page();
  expect(empty).toEqual({ items: [], nextCursor: expect.any(String), hasMore: false });
  await write("first");
  expect(textsOf(await page({ after: empty.nextCursor }))).toEqual(["first"]);
});

test("a client reads page by page, polls at the end, and gets the same page for the same cursor", async () => {
  for (let index = 0; index < 5; index += 1) await write(`${index}`);
  const first = await page({ limit: "2" });
  const second = await page({ limit: "2", after: first.nextCursor });
  const third = await page({ limit: "2", after: second.nextCursor });
  expect([first, second, third].map((one) => [textsOf(one), one.hasMore])).toEqual([
    [["0", "1"], true],
    [["2", "3"], true],
    [["4"], false],
  ]);
  const idle = await page({ after: third.nextCursor });
  expect(idle).toEqual({ items: [], nextCursor: third.nextCursor, hasMore: false });
  await write("5");
  expect(textsOf(await page({ after: idle.nextCursor }))).toEqual(["5"]);
  expect(await page({ limit: "2", after: first.nextCursor })).toEqual(second);
});

test("a message whose line is added later comes after every earlier cursor", async () => {
  await write("hidden", phone, "30005678");
  await write("seen");
  const { nextCursor } = await page();
  await inbound.lines.add(api.accountId, "30005678");
  expect(textsOf(await page({ after: nextCursor }))).toEqual(["hidden"]);
  expect(textsOf(await page())).toEqual(["seen", "hidden"]);
});

test("limit ranges from 1 to 500, and is 100 by default", async () => {
  for (let index = 0; index < 501; index += 1) await write(`${index}`);
  expect((await page()).items).toHaveLength(100);
  expect((await page({ limit: "1" })).items).toHaveLength(1);
  const most = await page({ limit: "500" });
  expect([most.items.length, most.hasMore]).toEqual([500, true]);
  for (const limit of ["0", "501", "-1", "99999999999999999999"])
    expect(await problemsOf({ limit })).toEqual(["limit out_of_range"]);
  for (const limit of ["", "ten", "1.5", "1e2", " 5"])
    expect(await problemsOf({ limit })).toEqual(["limit invalid_type"]);
});

test("numbers are filtered in every spelling, even with a plus sign that is not percent-encoded", async () => {
  await inbound.lines.add(api.accountId, "30005678");
  await write("a");
  await write("b", "+989350000001");
  await write("c", phone, "30005678");
  await write("d", "MyBank");
  for (const sender of ["09121234567", "+989121234567", "00989121234567", "۰۹۱۲ ۱۲۳ ۴۵۶۷", "0912-123-4567"])
    expect(textsOf(await page({ sender }))).toEqual(["a", "c"]);
  expect(textsOf(await page("sender=+989121234567"))).toEqual(["a", "c"]);
  expect(textsOf(await page({ sender: "MyBank" }))).toEqual(["d"]);
  expect(textsOf(await page({ receiver: "30005678" }))).toEqual(["c"]);
  expect(textsOf(await page("receiver=+9830005678"))).toEqual(["c"]);
  expect(textsOf(await page({ receiver: "30005678", sender: "09350000001" }))).toEqual([]);
  expect(await problemsOf({ receiver: "MyBank" })).toEqual(["receiver invalid_phone_number"]);
  expect(await problemsOf({ receiver: "", sender: "" })).toEqual(["receiver too_short", "sender too_short"]);
  expect(await problemsOf({ sender: "1".repeat(21) })).toEqual(["sender too_long"]);
  expect((await get({ sender: "1".repeat(20) })).status).toBe(200);
});

test("from is inclusive and to is exclusive", async () => {
  for (const text of ["36:00", "36:01", "36:02"]) {
    await write(text);
    await api.clock.advance(1_000);
  }
  const from = "2026-11-20T15:36:01Z";
  const to = "2026-11-20T15:36:02.000Z";
  expect(textsOf(await page({ from }))).toEqual(["36:01", "36:02"]);
  expect(textsOf(await page({ to }))).toEqual(["36:00", "36:01"]);
  expect(textsOf(await page({ from, to }))).toEqual(["36:01"]);
  expect(textsOf(await page({ from: "2026-11-20T19:06:01+03:30" }))).toEqual(["36:01", "36:02"]);
  expect(textsOf(await page("from=2026-11-20T19:06:01+03:30"))).toEqual(["36:01", "36:02"]);
  expect(textsOf(await page({ from: to, to: from }))).toEqual([]);
  for (const time of ["2026-11-20T15:36:01", "2026-02-30T00:00:00Z", "yesterday", "", "1763652961"])
    expect(await problemsOf({ from: time, to: time })).toEqual(["from invalid_format", "to invalid_format"]);
});

test("a cursor of another account is refused, and every problem is named at once", async () => {
  await write("a");
  const { nextCursor } = await page();
  for (const after of ["", "x", nextCursor.slice(1), `${nextCursor}A`, "AAAAAAAAAAAAAAA", "01KAGN0Q6YV5T0WJ7V8K3H4R2B"])
    expect(await problemsOf({ after })).toEqual(["after invalid_format"]);
  expect(await problemsOf({ after: "x", limit: "0", from: "x" })).toEqual([
    "after invalid_format",
    "limit out_of_range",
    "from invalid_format",
  ]);
  const other = await api.customer();
  const theirs = await get({ after: nextCursor }, { "X-API-Key": other.apiKey });
  expect(theirs.body).toMatchObject({
    code: "validation_failed",
    errors: [{ field: "after", code: "invalid_format" }],
  });
});

test("a cursor beyond the last message is refused, so that a client notices a restored backup", async () => {
  await write("a");
  const { nextCursor } = await page();
  const beyond = cursorText(api.accountId, 2);
  expect(nextCursor).toBe(cursorText(api.accountId, 1));
  expect(await problemsOf({ after: beyond })).toEqual(["after invalid_format"]);
  await write("b");
  expect(textsOf(await page({ after: beyond }))).toEqual([]);
});

test("another account sees none of the messages", async () => {
  await write("mine");
  const other = await api.customer();
  expect((await get({}, { "X-API-Key": other.apiKey })).body).toMatchObject({ items: [], hasMore: false });
});

test("reading requires a key with its permission, of an account that is not suspended", async () => {
  await write("kept");
  expect((await get({}, { "X-API-Key": null })).status).toBe(401);
  const narrow = await api.customer({ permissions: ["messages:read"] });
  expect((await get({}, { "X-API-Key": narrow.apiKey })).body).toMatchObject({ code: "permission_denied" });
  const reader = await api.customer({ permissions: ["inbound:read"] });
  expect((await get({}, { "X-API-Key": reader.apiKey })).status).toBe(200);
  await api.accounts.suspend(api.accountId);
  expect((await get()).body).toMatchObject({ code: "account_suspended" });
  await write("kept, too");
  await api.accounts.resume(api.accountId);
  expect(textsOf(await page())).toEqual(["kept", "kept, too"]);
});

test("other methods are refused, and unknown parameters are ignored", async () => {
  const wrong = await api.call("POST", path, { body: {} });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await get({ whatever: "1" })).status).toBe(200);
});
