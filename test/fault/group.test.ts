/** kill -9 during a send to a group: afterwards all of its messages exist or none, and a repeat completes them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type Customer, eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const members = 8_000;
const rounds = 8;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function count(sql: string): number {
  return rowsIn<{ n: number }>(folder.path, `SELECT count(*) AS n FROM ${sql}`)[0]?.n ?? -1;
}

async function withGroup(peyk: PeykProcess): Promise<Customer> {
  const customer = await peyk.customer();
  await peyk.operate("POST", "/groups", { account: customer.accountId, code: "all", name: "All" });
  const lines = Array.from({ length: members }, (_, index) => `0912${1_000_000 + index}`);
  const imported = await fetch("http://localhost/groups/all/import", {
    unix: join(folder.path, "peyk.sock"),
    method: "POST",
    body: `mobile\n${lines.join("\n")}\n`,
  });
  expect(await imported.text()).toContain(`"kind":"done","members":${members}`);
  await peyk.operate("POST", "/groups/all/approve", { by: "test" });
  return customer;
}

async function send(peyk: PeykProcess, customer: Customer, key: string): Promise<{ status: number; codes: string[] }> {
  const response = await peyk.request(customer, "/v1/approved-groups/all/messages", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ sender: customer.sender, message: "Hello" }),
  });
  const results: { trackingCode: string }[] = await response.json();
  return { status: response.status, codes: results.map(({ trackingCode }) => trackingCode) };
}

test(
  "a group's messages are accepted whole or not at all, whenever the process is killed",
  async () => {
    let peyk = await PeykProcess.start({ folder: folder.path });
    const customer = await withGroup(peyk);
    let cut = 0;
    for (let round = 0; round < rounds; round += 1) {
      const sending = send(peyk, customer, `round-${round}`).catch(() => null);
      await Bun.sleep(5 + round * 20);
      await peyk.kill();
      if ((await sending) === null) cut += 1;
      const accepted = count(`request WHERE key = 'round-${round}'`);
      expect([0, 1]).toContain(accepted);
      peyk = await PeykProcess.start({ folder: folder.path });
      const { status, codes } = await send(peyk, customer, `round-${round}`);
      expect(status).toBe(accepted === 1 ? 200 : 202);
      expect(new Set(codes).size).toBe(members);
    }
    expect(cut).toBeGreaterThan(0);
    await eventually(() => count("staged_run") === 0, 30_000);
    // Whatever a crash cut off is gone, and accepted messages exist once.
    expect(count("message")).toBe(rounds * members);
    await eventually(() => count("message WHERE state = 'ready'") === 0, 60_000);
    expect(count("message WHERE final_at IS NULL AND sent_at IS NULL AND processing_at IS NULL")).toBe(0);
    await peyk.stop();
  },
  { timeout: 180_000 },
);
