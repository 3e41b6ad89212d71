/** Large bodies do not block the event loop. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Api, sender, startApi } from "../support/api.ts";
import { expectNoHold } from "../support/longest-turn.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Posts a file as a process of its own, which takes no time from the server's thread, and prints the answer's status. */
const client = `
  const [url, headers, path] = process.argv.slice(1);
  const answer = await fetch(url, { method: "POST", headers: JSON.parse(headers), body: Bun.file(path) });
  await answer.text();
  console.log(answer.status);
`;

async function post(path: string): Promise<number> {
  const headers = {
    "X-API-Key": api.apiKey,
    "Idempotency-Key": crypto.randomUUID(),
    "Content-Type": "application/json",
  };
  const url = `${api.base}/v1/messages/batch`;
  const child = Bun.spawn([process.execPath, "-e", client, url, JSON.stringify(headers), path]);
  return Number(await new Response(child.stdout).text());
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
    const path = join(api.folder, "body.json");
    await Bun.write(path, text);
    // Parsed and hashed on the loop they took 90 and 200 ms of it on a quiet machine.
    await expectNoHold(async () => expect(await post(path)).toBe(status));
  },
  180_000,
);
