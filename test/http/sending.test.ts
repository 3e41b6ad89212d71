/** Sending one message, several, or a scheduled one, as a customer's backend does it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const now = "2026-11-20T15:36:00.000Z";

test("a new message is answered 202 with a Location and its Send result, and can be tracked there", async () => {
  const response = await api.send("/v1/messages", singleMessage({ clientReference: "order-7" }));
  expect(response.status).toBe(202);
  expect(response.headers.get("content-type")).toBe("application/json");
  const result = await response.json();
  expect(result).toEqual({
    trackingCode: expect.stringMatching(/^[0-9A-Z]{26}$/),
    status: "queued",
    encoding: "Persian",
    characterCount: 4,
    partCount: 1,
    submittedAt: now,
    duplicate: false,
  });
  const location = response.headers.get("location") ?? "";
  expect(location).toBe(`/v1/messages/${result.trackingCode}`);
  const record = await api.call("GET", location);
  expect(record.status).toBe(200);
  expect(await record.json()).toEqual({
    trackingCode: result.trackingCode,
    clientReference: "order-7",
    sender,
    recipient: "+989121234567",
    message: "سلام",
    encoding: "Persian",
    characterCount: 4,
    partCount: 1,
    status: "queued",
    error: null,
    submittedAt: now,
    updatedAt: now,
    sendAt: null,
    sentAt: null,
    deliveredAt: null,
    history: [{ status: "queued", note: expect.any(String), changedAt: now }],
  });
});

test("a 202 means that the message is in the store and in the queue", async () => {
  const heard = api.waiting.length;
  const { trackingCode } = await (await api.send("/v1/messages", singleMessage())).json();
  const row = api.store.tables.messages.byCode(api.accountId, trackingCode);
  expect(row?.state).toBe("ready");
  expect(api.waiting.slice(heard).map(({ id }) => id)).toEqual([row?.id ?? -1]);
});

const recipients = [
  "+989121234567",
  "00989121234567",
  "0912 123 4567",
  "۰۹۱۲۱۲۳۴۵۶۷",
  "٠٩١٢١٢٣٤٥٦٧",
  "+98 (912) 123-4567",
  "9121234567",
];
test.each(recipients)("the recipient %s is stored and returned as E.164", async (recipient) => {
  const { trackingCode } = await (await api.send("/v1/messages", singleMessage({ recipient }))).json();
  const record = await (await api.call("GET", `/v1/messages/${trackingCode}`)).json();
  expect(record.recipient).toBe("+989121234567");
});

test("encoding and parts are those that the network will carry", async () => {
  const measured = async (message: string) => {
    const { encoding, characterCount, partCount } = await (
      await api.send("/v1/messages", singleMessage({ message }))
    ).json();
    return [encoding, characterCount, partCount];
  };
  expect(await measured("Hello €")).toEqual(["Latin", 7, 1]);
  expect(await measured("س".repeat(71))).toEqual(["Persian", 71, 2]);
  expect(await measured("😀".repeat(36))).toEqual(["Unicode", 36, 2]);
});

test("clientReference may be null, missing or empty, and unknown fields are ignored", async () => {
  for (const clientReference of [null, undefined]) {
    const response = await api.send("/v1/messages", singleMessage({ clientReference, colour: { deep: [1, 2, 3] } }));
    const record = await (await api.call("GET", response.headers.get("location") ?? "")).json();
    expect(record.clientReference).toBeNull();
  }
  const response = await api.send("/v1/messages", singleMessage({ clientReference: "" }));
  const record = await (await api.call("GET", response.headers.get("location") ?? "")).json();
  expect(record.clientReference).toBe("");
});

test("line breaks belong to a text", async () => {
  const message = "سطر اول\r\nسطر دوم\n";
  const response = await api.send("/v1/messages", singleMessage({ message }));
  const record = await (await api.call("GET", response.headers.get("location") ?? "")).json();
  expect(record.message).toBe(message);
});

test("a batch is answered with one Send result per item, in order", async () => {
  const messages = [
    { recipient: "09121234501", message: "one" },
    { recipient: "09121234502", message: "دو", clientReference: "second" },
    { recipient: "09121234501", message: "one again" },
  ];
  const response = await api.send("/v1/messages/batch", { sender, messages });
  expect(response.status).toBe(202);
  const results: { trackingCode: string; duplicate: boolean }[] = await response.json();
  expect(results.map(({ duplicate }) => duplicate)).toEqual([false, false, false]);
  const records = await Promise.all(
    results.map(async ({ trackingCode }) => (await api.call("GET", `/v1/messages/${trackingCode}`)).json()),
  );
  expect(records.map(({ recipient, message, clientReference }) => [recipient, message, clientReference])).toEqual([
    ["+989121234501", "one", null],
    ["+989121234502", "دو", "second"],
    ["+989121234501", "one again", null],
  ]);
});

test("a batch with invalid items is refused whole, and every invalid item is named", async () => {
  const rows = () => api.store.tables.messages.run(1, 100_000).length;
  const before = rows();
  const messages = [
    { recipient: "09121234501", message: "good" },
    { recipient: "02188776655", message: "a fixed line" },
    { recipient: "09121234503", message: "" },
    { recipient: "unknown", clientReference: "x".repeat(121) },
    "no object",
    null,
  ];
  const response = await api.send("/v1/messages/batch", { sender: "me", messages });
  expect(response.status).toBe(400);
  const { code, errors } = await response.json();
  expect(code).toBe("validation_failed");
  expect(errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
    ["sender", "too_short"],
    ["messages[1].recipient", "invalid_phone_number"],
    ["messages[2].message", "too_short"],
    ["messages[3].recipient", "invalid_phone_number"],
    ["messages[3].message", "required"],
    ["messages[3].clientReference", "too_long"],
    ["messages[4]", "invalid_type"],
    ["messages[5]", "invalid_type"],
  ]);
  expect(rows()).toBe(before);
});

test("a scheduled message has its sendAt in the answer, and waits as queued", async () => {
  const response = await api.send("/v1/messages/scheduled", singleMessage({ sendAt: "2026-11-21T12:00:00+03:30" }));
  expect(response.status).toBe(202);
  const result = await response.json();
  expect(result).toMatchObject({
    status: "queued",
    submittedAt: now,
    sendAt: "2026-11-21T08:30:00.000Z",
    duplicate: false,
  });
  expect(response.headers.get("location")).toBe(`/v1/messages/${result.trackingCode}`);
  const record = await (await api.call("GET", `/v1/messages/${result.trackingCode}`)).json();
  expect(record).toMatchObject({ status: "queued", sendAt: "2026-11-21T08:30:00.000Z", sentAt: null });
  expect(api.waiting.at(-1)?.dueAt).toBe(Date.parse("2026-11-21T08:30:00.000Z"));
});

test("a message is in the class single when sent alone, and bulk when sent in a batch or later", async () => {
  const classOf = async (path: string, body: unknown) => {
    const [result] = [await (await api.send(path, body)).json()].flat();
    return api.store.tables.messages.byCode(api.accountId, result.trackingCode)?.class;
  };
  const { sender, ...item } = singleMessage();
  const sendAt = new Date(api.clock.now() + 3_600_000).toISOString();
  expect(await classOf("/v1/messages", singleMessage())).toBe(messageClasses.single);
  expect(await classOf("/v1/messages/batch", { sender, messages: [item] })).toBe(messageClasses.bulk);
  expect(await classOf("/v1/messages/scheduled", singleMessage({ sendAt }))).toBe(messageClasses.bulk);
});
