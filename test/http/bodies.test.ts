/** Malformed and hostile bodies: each gets a clear error, and the service keeps serving. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** After each of them, a valid request is served. */
afterEach(async () => {
  expect((await api.send("/v1/messages", singleMessage())).status).toBe(202);
});

type Body = string | Uint8Array<ArrayBuffer> | null;

async function outcome(
  body: Body,
  headers: Record<string, string> = { "Content-Type": "application/json" },
  path = "/v1/messages",
) {
  const response = await api.fetch(path, {
    method: "POST",
    headers: { "X-API-Key": api.apiKey, "Idempotency-Key": crypto.randomUUID(), ...headers },
    body,
  });
  expect(response.headers.get("x-correlation-id")).not.toBeNull();
  const { code, errors } = await response.json();
  if (response.ok) return response.status;
  const problems = (errors ?? []).map(
    (problem: { field: string; code: string }) => ` ${problem.field} ${problem.code}`,
  );
  return `${response.status} ${code}${problems.join("")}`;
}

const json = (changes: Record<string, unknown> = {}) => JSON.stringify(singleMessage(changes));
const bytes = (text: string) => new TextEncoder().encode(text);
const withByte = (byte: number) => {
  const [before = "", after = ""] = json({ message: "HERE" }).split("HERE");
  return Buffer.concat([bytes(before), Uint8Array.of(byte), bytes(after)]);
};

const malformed: [what: string, body: Body][] = [
  ["nothing", ""],
  ["no body at all", null],
  ["half an object", '{"sender":'],
  ["two values", `${json()}{}`],
  ["a comma too many", '{"sender":"x",}'],
  ["a form", "sender=x"],
  ["a bare NaN", "NaN"],
  ["a NUL", "\u0000"],
  ["a raw NUL in a string", withByte(0)],
  ["a raw line feed in a string", withByte(0x0a)],
  ["invalid UTF-8", withByte(0xff)],
  ["a cut UTF-8 sequence", withByte(0xd8)],
  ["UTF-16", Buffer.from(json(), "utf16le")],
  ["10,000 levels of arrays", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["300,000 levels of arrays", "[".repeat(300_000) + "]".repeat(300_000)],
  ["100,000 levels of objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["one level too deep", `${"[".repeat(65)}${"]".repeat(65)}`],
];
test.each(malformed)("%s is malformed", async (_, body) => {
  expect(await outcome(body)).toBe("400 malformed_json");
});

const wrong: [body: string, problems: string][] = [
  ["null", "body invalid_type"],
  ["[]", "body invalid_type"],
  ['"text"', "body invalid_type"],
  ["1e999", "body invalid_type"],
  ["{}", "sender required recipient required message required"],
  [`${"[".repeat(64)}${"]".repeat(64)}`, "body invalid_type"],
  [
    '{"__proto__":{"sender":"982000123","recipient":"09121234567","message":"x"}}',
    "sender required recipient required message required",
  ],
  ['{"constructor":{"prototype":{"sender":"x"}}}', "sender required recipient required message required"],
  [
    json({ sender: 5, recipient: [], message: {}, clientReference: 7 }),
    "sender invalid_type recipient invalid_type message invalid_type clientReference invalid_type",
  ],
  [
    json({ sender: null, recipient: null, message: null }),
    "sender invalid_type recipient invalid_type message invalid_type",
  ],
  [json({ message: "a\u0000b" }), "message invalid_format"],
  [json({ message: "a\u0085b" }), "message invalid_format"],
  [json({ message: "\u007f" }), "message invalid_format"],
  [json({ message: "a\ud800b" }), "message invalid_format"],
  [json({ clientReference: "\udc00" }), "clientReference invalid_format"],
  [json({ recipient: "0912\u0000123" }), "recipient invalid_format"],
  [json({ recipient: "call me" }), "recipient invalid_phone_number"],
  [json({ recipient: "02188776655", message: "" }), "recipient invalid_phone_number message too_short"],
].map(([body = "", problems = ""]) => [body, problems]);
test.each(wrong)("%s is refused field by field", async (body, problems) => {
  expect(await outcome(body)).toBe(`400 validation_failed ${problems}`);
});

test("a body has at most 50,000 values of any type; commas and brackets in strings do not count", async () => {
  const array = (count: number) => `[${"0,".repeat(count - 1)}0]`;
  const objects = `[${'{"a":1},'.repeat(24_999)}{"a":1}]`;
  expect(await outcome(array(50_000), undefined, "/v1/messages/batch")).toBe("400 validation_failed body invalid_type");
  expect(await outcome(array(50_001), undefined, "/v1/messages/batch")).toBe("400 validation_failed body too_many");
  expect(await outcome(objects, undefined, "/v1/messages/batch")).toBe("400 validation_failed body invalid_type");
  const manyBrackets = {
    sender,
    messages: Array(500).fill({ recipient: "09121234567", message: '[,{,"\\,'.repeat(200) }),
  };
  expect(await outcome(JSON.stringify(manyBrackets), undefined, "/v1/messages/batch")).toBe(202);
});

test("sixteen mebibytes of empty arrays are refused before they are parsed", async () => {
  const started = performance.now();
  expect(await outcome(`[${"[],".repeat(5_000_000)}[]]`, undefined, "/v1/messages/batch")).toBe(
    "400 validation_failed body too_many",
  );
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a prototype in the body changes no other object", async () => {
  await outcome('{"__proto__":{"polluted":true},"sender":"982000123","recipient":"09121234567","message":"x"}');
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("a byte order mark and spaces around the value are accepted", async () => {
  expect(await outcome(`\ufeff${json()}`)).toBe(202);
  expect(await outcome(`\r\n\t ${json()} \n`)).toBe(202);
});

test("the last value of a repeated field counts", async () => {
  const body = json().replace("{", '{"recipient":"nonsense",');
  expect(await outcome(body)).toBe(202);
});

const types: [type: string | null, status: 202 | 415][] = [
  ["application/json", 202],
  ["application/json; charset=utf-8", 202],
  ['Application/JSON;charset="UTF-8"', 202],
  ["application/json; profile=x", 202],
  ["application/json; charset=iso-8859-1", 415],
  ["application/json5", 415],
  ["text/json", 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=x", 415],
  ["application/vnd.api+json", 415],
  ["", 415],
  [null, 415],
];
test.each(types)("a body of the type %p is answered with %d", async (type, status) => {
  // A body of bytes has no type unless it is given one.
  const headers = type === null ? {} : { "Content-Type": type };
  const answered = await outcome(bytes(json()), headers);
  expect(answered).toBe(status === 202 ? 202 : "415 unsupported_media_type");
});

test("a long Content-Type that is not JSON is refused quickly", async () => {
  const hostile = `application/json; charset=a${" ".repeat(15_000)}b`;
  const started = performance.now();
  for (let index = 0; index < 20; index += 1) {
    expect(await outcome(json(), { "Content-Type": hostile })).toBe("415 unsupported_media_type");
  }
  // Each used to take 1.3 s with a quadratic pattern.
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a body with a Content-Encoding is refused, whatever the encoding", async () => {
  for (const encoding of ["gzip", "identity", "br"]) {
    const headers = { "Content-Type": "application/json", "Content-Encoding": encoding };
    expect(await outcome(Bun.gzipSync(json()), headers)).toBe("415 unsupported_media_type");
  }
});

test("an operation without a body checks the type of one that is sent, and requires none", async () => {
  const { trackingCode } = await (await api.send("/v1/messages", singleMessage())).json();
  const path = `/v1/messages/${trackingCode}/cancel`;
  expect(await outcome("x=1", { "Content-Type": "application/x-www-form-urlencoded" }, path)).toBe(
    "415 unsupported_media_type",
  );
  expect(await outcome("", { "Content-Type": "application/x-www-form-urlencoded" }, path)).toBe(200);
  expect(await outcome("{}", undefined, path)).toBe(200);
});

const head = (extra: string[]) =>
  [
    "POST /v1/messages HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${api.apiKey}`,
    "Idempotency-Key: k",
    "Content-Type: application/json",
    ...extra,
    "\r\n",
  ].join("\r\n");

const unfinished: [what: string, lines: string[], begun: string][] = [
  ["that announces more than it sends", ["Content-Length: 1000"], json()],
  ["whose last chunk never comes", ["Transfer-Encoding: chunked"], '5\r\n{"a":\r\n'],
];
test.each(unfinished)("a body %s is refused after the deadline, and the connection closes", async (_, lines, begun) => {
  const connection = await api.connect();
  connection.write(head(lines) + begun);
  const answered = connection.answer();
  while (connection.received() === "") await api.clock.advance(5_000);
  const { status, headers, body } = await answered;
  expect([status, JSON.parse(body)]).toMatchObject([
    408,
    { code: "request_timeout", message: "The body did not arrive in time." },
  ]);
  expect(headers.get("connection")).toBe("close");
  connection.end();
});

test("a tab in a text becomes one space", async () => {
  const response = await api.send("/v1/messages", singleMessage({ message: "a\tb\t\tc", clientReference: "x\ty" }));
  const { trackingCode, encoding, characterCount } = await response.json();
  const record = await (await api.call("GET", `/v1/messages/${trackingCode}`)).json();
  expect([encoding, characterCount, record.message, record.clientReference]).toEqual(["Latin", 6, "a b  c", "x y"]);
});

test("a body that arrives slowly is read whole", async () => {
  const connection = await api.connect();
  const text = json();
  connection.write(head([`Content-Length: ${Buffer.byteLength(text)}`]));
  for (const byte of bytes(text)) {
    connection.write(Uint8Array.of(byte));
    await api.clock.advance(10);
  }
  expect((await connection.answer()).status).toBe(202);
  connection.end();
});

test("a client that disconnects in the middle of its body does not disturb others", async () => {
  for (const lines of [["Content-Length: 1000"], ["Transfer-Encoding: chunked"]]) {
    const connection = await api.connect();
    connection.write(`${head(lines)}5\r\n{"a":\r\n`);
    await api.clock.advance(10);
    connection.end();
  }
  await api.clock.advance(60_000);
  expect(api.api.inFlight()).toBe(0);
});

test("a header of 100 KB is refused, and the service keeps serving", async () => {
  const connection = await api.connect();
  connection.write(`GET /v1/senders HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`);
  while (connection.received() === "" && !connection.isClosed()) await api.clock.advance(1);
  expect(connection.received()).toMatch(/^HTTP\/1\.1 431 /);
  connection.end();
});

test("a batch with invalid items names every one", async () => {
  const messages = Array.from({ length: 500 }, () => ({ recipient: "x", message: "" }));
  const response = await api.send("/v1/messages/batch", { sender, messages });
  expect((await response.json()).errors).toHaveLength(1000);
});
