/** Sending one message, as a customer's backend does it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test("a new message is answered with 202, a Location and its Send result, and can be tracked there", async () => {
  const response = await api.send("/v1/messages", singleMessage({ clientReference: "order-7" }));
  expect(response.status).toBe(202);
  const result = await response.json();
  expect(result).toEqual({
    trackingCode: expect.stringMatching(/^[0-9A-Z]{26}$/),
    status: "queued",
    encoding: "Persian",
    characterCount: 4,
    partCount: 1,
    submittedAt: "2026-11-20T15:36:00.000Z",
    duplicate: false,
  });
  const location = response.headers.get("location") ?? "";
  expect(location).toBe(`/v1/messages/${result.trackingCode}`);
  const record = await api.call("GET", location);
  expect(record.status).toBe(200);
  expect(await record.json()).toEqual({
    trackingCode: result.trackingCode,
    clientReference: "order-7",
    sender: "982000123",
    recipient: "+989121234567",
    message: "سلام",
    encoding: "Persian",
    characterCount: 4,
    partCount: 1,
    status: "queued",
    error: null,
    submittedAt: "2026-11-20T15:36:00.000Z",
    updatedAt: "2026-11-20T15:36:00.000Z",
    sendAt: null,
    sentAt: null,
    deliveredAt: null,
    history: [{ status: "queued", note: expect.any(String), changedAt: "2026-11-20T15:36:00.000Z" }],
  });
});
