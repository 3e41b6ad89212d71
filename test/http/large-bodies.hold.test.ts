/** Large bodies do not block the event loop. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, sender, startApi } from "../support/api.ts";
import { expectNoHold } from "../support/longest-turn.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function post(text: string): Promise<number> {
  const response = await api.fetch("/v1/messages/batch", {
    method: "POST",
    headers: { "X-API-Key": api.apiKey, "Idempotency-Key": crypto.randomUUID(), "Content-Type": "application/json" },
    body: new TextEncoder().encode(text),
  });
  await response.text();
  return response.status;
}

const hello = { recipient: "09121234567", message: "Hello" };
const escaped = "\\ud83d\\ude00".repeat(2000);
const item = `{"recipient":"09121234567","message":"${escaped}"}`;
const manyKeys = Object.fromEntries(
  Array.from({ length: 49_000 }, (_, index) => [`${"k".repeat(300)}${(index * 7919) % 49_000}`, 1]),
);
const heavy: [what: string, status: number, text: string][] = [
  ["a batch of 12 MB, as large as it can be", 202, `{"sender":"${sender}","messages":[${Array(500).fill(item)}]}`],
  ["49,000 long keys in 15 MB", 202, JSON.stringify({ sender, messages: [hello], ...manyKeys })],
];
test.each(heavy)(
  "%s does not block the event loop",
  async (_, status, text) => {
    // Parsed and hashed on the loop they took 90 and 200 ms of it on a quiet machine; the client's part is included.
    await expectNoHold(async () => expect(await post(text)).toBe(status));
  },
  60_000,
);
