/** Every limit of the contract, at its last valid value and at the first invalid one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** The status, and the fields and codes of the problems, if any. */
async function outcome(response: Response | Promise<Response>) {
  const answered = await response;
  const { code, errors = [] } = await answered.json();
  if (answered.status < 300) return answered.status;
  const problems = errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
  return [answered.status, code, ...problems].join(" ");
}

const refused = (problem: string) => `400 validation_failed ${problem}`;
const single = (changes: Record<string, unknown>) => outcome(api.send("/v1/messages", singleMessage(changes)));

/** One character, two UTF-16 units, four bytes. */
const wide = "😀";

const textEdges: [field: string, shortest: number, longest: number][] = [
  ["message", 1, 2000],
  ["clientReference", 0, 120],
];
test.each(textEdges)("%s has %d to %d characters, counted as code points", async (field, shortest, longest) => {
  expect(await single({ [field]: wide.repeat(longest) })).toBe(202);
  expect(await single({ [field]: wide.repeat(longest + 1) })).toBe(refused(`${field} too_long`));
  expect(await single({ [field]: "a".repeat(longest) })).toBe(202);
  expect(await single({ [field]: "a".repeat(longest + 1) })).toBe(refused(`${field} too_long`));
  expect(await single({ [field]: wide.repeat(shortest) })).toBe(202);
  if (shortest > 0) expect(await single({ [field]: "" })).toBe(refused(`${field} too_short`));
});

test("a sender has 5 to 20 characters", async () => {
  for (const good of ["CLINI", "C".repeat(20), wide.repeat(5), wide.repeat(20)]) {
    await api.senders.add(api.accountId, good, true, []);
    expect(await single({ sender: good })).toBe(202);
  }
  expect(await single({ sender: "CLIN" })).toBe(refused("sender too_short"));
  expect(await single({ sender: wide.repeat(4) })).toBe(refused("sender too_short"));
  expect(await single({ sender: "C".repeat(21) })).toBe(refused("sender too_long"));
  expect(await single({ sender: wide.repeat(21) })).toBe(refused("sender too_long"));
});

test("a recipient has 1 to 20 characters", async () => {
  const twenty = "+98 (912) 123 - 4567";
  expect(twenty).toHaveLength(20);
  expect(await single({ recipient: twenty })).toBe(202);
  expect(await single({ recipient: `${twenty} ` })).toBe(refused("recipient too_long"));
  expect(await single({ recipient: "" })).toBe(refused("recipient too_short"));
});

test("an Idempotency-Key has 1 to 100 printable ASCII characters", async () => {
  const under = (key: string) => outcome(api.send("/v1/messages", singleMessage(), key));
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
  for (const good of ["k", printable, "a b", "k".repeat(100)]) expect(await under(good)).toBe(202);
  for (const bad of ["k".repeat(101), "k\u00e9", "a\tb"]) expect(await under(bad)).toBe("400 idempotency_key_invalid");
  expect(await under("")).toBe("400 idempotency_key_required");
});

test("a correlation id of 1 to 64 valid characters is returned, and any other is replaced", async () => {
  const comesBack = async (id: string) => {
    const response = await api.call("GET", "/v1/senders", { headers: { "X-Correlation-Id": id } });
    return response.headers.get("x-correlation-id");
  };
  for (const good of ["a", "A-z_0.9", "x".repeat(64)]) expect(await comesBack(good)).toBe(good);
  for (const bad of ["x".repeat(65), "a b", "a/b", "é", "a,b", ""]) {
    expect(await comesBack(bad)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  }
});

const batchOf = (count: number) => ({
  sender,
  messages: Array.from({ length: count }, () => ({ recipient: "09121234567", message: "x" })),
});
test("a batch has 1 to 500 messages", async () => {
  const batch = (count: number) => outcome(api.send("/v1/messages/batch", batchOf(count)));
  expect(await batch(0)).toBe(refused("messages too_few"));
  expect(await batch(1)).toBe(202);
  expect(await batch(500)).toBe(202);
  expect(await batch(501)).toBe(refused("messages too_many"));
});

test("a status request has 1 to 100 codes, repeats counted", async () => {
  const status = (trackingCodes: unknown) =>
    outcome(api.call("POST", "/v1/messages/status", { body: { trackingCodes } }));
  expect(await status([])).toBe(refused("trackingCodes too_few"));
  expect(await status(["x"])).toBe(200);
  expect(await status(Array(100).fill("x"))).toBe(200);
  expect(await status(Array(101).fill("x"))).toBe(refused("trackingCodes too_many"));
  expect(await status([7, null])).toBe(
    "400 validation_failed trackingCodes[0] invalid_type trackingCodes[1] invalid_type",
  );
  expect(await status("x")).toBe(refused("trackingCodes invalid_type"));
});

test("sendAt lies 30 seconds to 30 days ahead", async () => {
  const ahead = (ms: number) => {
    const sendAt = new Date(api.clock.now() + ms).toISOString();
    return outcome(api.send("/v1/messages/scheduled", singleMessage({ sendAt })));
  };
  const days30 = 30 * 24 * 3_600_000;
  expect(await ahead(30_000)).toBe(202);
  expect(await ahead(29_999)).toBe(refused("sendAt out_of_range"));
  expect(await ahead(days30)).toBe(202);
  expect(await ahead(days30 + 1)).toBe(refused("sendAt out_of_range"));
  expect(await ahead(-1)).toBe(refused("sendAt out_of_range"));
});

const badTimes = [
  "2026-11-21",
  "2026-11-21T08:00:00",
  "2026-02-30T08:00:00Z",
  "2026-11-21T24:01:00Z",
  "tomorrow",
  "",
  "2026-11-21 08:00Z",
];
test.each(badTimes)("sendAt %p is not a time stamp", async (sendAt) => {
  expect(await outcome(api.send("/v1/messages/scheduled", singleMessage({ sendAt })))).toBe(
    refused("sendAt invalid_format"),
  );
});

test("a scheduled message with an invalid sendAt and an invalid recipient reports both problems", async () => {
  const body = singleMessage({ sendAt: "2026-11-20T15:36:01Z", recipient: "02188776655" });
  expect(await outcome(api.send("/v1/messages/scheduled", body))).toBe(
    refused("recipient invalid_phone_number sendAt out_of_range"),
  );
});

/** A valid body, padded to `bytes` with spaces. */
function padded(body: unknown, bytes: number): string {
  const json = JSON.stringify(body);
  return json + " ".repeat(bytes - Buffer.byteLength(json));
}

function post(path: string, body: string | ReadableStream): Promise<Response> {
  const headers = {
    "X-API-Key": api.apiKey,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  };
  return api.fetch(path, { method: "POST", headers, body });
}

function chunked(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
}

const mebibyte = 1024 * 1024;
const bodies: [path: string, body: unknown, bytesMax: number][] = [
  ["/v1/messages", singleMessage(), mebibyte],
  ["/v1/messages/batch", batchOf(2), 16 * mebibyte],
];
test.each(bodies)(
  "a body for %s may have its largest size, in one piece or in chunks",
  async (path, body, bytesMax) => {
    expect(await outcome(post(path, padded(body, bytesMax)))).toBe(202);
    expect(await outcome(post(path, padded(body, bytesMax + 1)))).toBe("413 payload_too_large");
    expect(await outcome(post(path, chunked(padded(body, bytesMax))))).toBe(202);
    expect(await outcome(post(path, chunked(padded(body, bytesMax + 1))))).toBe("413 payload_too_large");
  },
);

test("a body announced as too large is refused before it is sent", async () => {
  const head = [
    "POST /v1/messages HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${api.apiKey}`,
    "Content-Type: application/json",
    "Content-Length: 99999999999",
    "\r\n",
  ].join("\r\n");
  const answer = await api.raw(head);
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, "payload_too_large"]);
});

test("a repeated Content-Length is checked as one", async () => {
  const twice = (type: string, length: number, body = "") =>
    api.raw(
      [
        "POST /v1/messages HTTP/1.1",
        "Host: localhost",
        `X-API-Key: ${api.apiKey}`,
        `Idempotency-Key: ${crypto.randomUUID()}`,
        `Content-Type: ${type}`,
        `Content-Length: ${length}`,
        `Content-Length: ${length}`,
        `\r\n${body}`,
      ].join("\r\n"),
    );
  expect((await twice("application/json", 99_999_999_999)).status).toBe(413);
  expect((await twice("text/plain", 2, "{}")).status).toBe(415);
  const body = JSON.stringify({ sender, recipient: "09121234567", message: "x" });
  expect((await twice("application/json", body.length, body)).status).toBe(202);
});

/** Each way of sending other than the single one, with a valid body. */
const otherWays: [path: string, body: () => Record<string, unknown>][] = [
  ["/v1/messages/scheduled", () => singleMessage({ sendAt: new Date(api.clock.now() + 60_000).toISOString() })],
  ["/v1/approved-groups/spring/messages", () => ({ sender, message: "x" })],
  ["/v1/patterns/ready/messages", () => ({ sender, recipient: "09121234567", variables: { name: "Ali" } })],
  ["/v1/otp/challenges", () => ({ sender, recipient: nextRecipient() })],
  ["/v1/otp/codes", () => ({ sender, recipient: nextRecipient(), code: "4321" })],
];

/** A number without a one-time password so far. */
let recipients = 0;
function nextRecipient(): string {
  recipients += 1;
  return `+98935${1_000_000 + recipients}`;
}

beforeAll(async () => {
  await api.groups.service.create(api.accountId, "spring", "Spring");
  async function* file() {
    yield new TextEncoder().encode("mobile\n09121234567\n");
  }
  const ignored = () => {};
  await api.groups.service.import({ code: "spring" }, file(), {
    progress: ignored,
    problem: ignored,
    repeated: ignored,
  });
  await api.groups.service.approve({ code: "spring" }, "maryam");
  const pattern = { accountId: api.accountId, code: "ready", name: "Ready", sender: null, maxLengths: {} };
  await api.patterns.service.add({ ...pattern, text: "Dear {{name}}" });
  await api.patterns.service.approve({ code: "ready" }, "maryam");
});

test.each(otherWays)("%s has the same limits", async (path, body) => {
  const send = (changes: Record<string, unknown>) => outcome(api.send(path, { ...body(), ...changes }));
  expect(await send({ clientReference: wide.repeat(120) })).toBe(202);
  expect(await send({ clientReference: wide.repeat(121) })).toBe(refused("clientReference too_long"));
  expect(await send({ sender: "CLIN" })).toBe(refused("sender too_short"));
  expect(await send({ sender: "C".repeat(21) })).toBe(refused("sender too_long"));
  const fields = body();
  if ("recipient" in fields) expect(await send({ recipient: "9".repeat(21) })).toBe(refused("recipient too_long"));
  if ("message" in fields) {
    expect(await send({ message: wide.repeat(2000) })).toBe(202);
    expect(await send({ message: wide.repeat(2001) })).toBe(refused("message too_long"));
    expect(await send({ message: "" })).toBe(refused("message too_short"));
  }
});

test("an item of a batch has the limits of a message, and each problem names its place", async () => {
  const items = (...changes: Record<string, unknown>[]) => {
    const messages = changes.map((change) => ({ recipient: "09121234567", message: "x", ...change }));
    return outcome(api.send("/v1/messages/batch", { sender, messages }));
  };
  expect(await items({ message: wide.repeat(2000), clientReference: wide.repeat(120) })).toBe(202);
  expect(await items({}, { message: wide.repeat(2001) }, { clientReference: wide.repeat(121), message: "" })).toBe(
    refused("messages[1].message too_long messages[2].message too_short messages[2].clientReference too_long"),
  );
});

test("a pattern's value has 1 to 30 characters, unless the operator sets another length", async () => {
  const value = (name: string) =>
    outcome(api.send("/v1/patterns/ready/messages", { sender, recipient: "09121234567", variables: { name } }));
  expect(await value(wide.repeat(30))).toBe(202);
  expect(await value(wide.repeat(31))).toBe(refused("variables.name too_long"));
  expect(await value(wide)).toBe(202);
  expect(await value("")).toBe(refused("variables.name too_short"));
});
