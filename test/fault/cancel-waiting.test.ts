/** kill -9 while the waiting messages of a leaked key are cancelled: the key is revoked, each message is cancelled or waits, and a second run finishes. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const batches = 12;
const messages = batches * 500;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const count = (sql: string) => rowsIn<{ n: number }>(folder.path, `SELECT count(*) AS n FROM ${sql}`)[0]?.n ?? -1;
const cancelled = () => count("message WHERE state = 'cancelled'");

test(
  "a kill while a revoked key's messages are cancelled loses none and cancels none twice",
  async () => {
    let peyk = await PeykProcess.start({ folder: folder.path });
    const customer = await peyk.customer();
    await peyk.operate("POST", "/routes/simulator/disable");
    for (let batch = 0; batch < batches; batch += 1) {
      const response = await peyk.request(customer, "/v1/messages/batch", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `batch-${batch}` },
        body: JSON.stringify({
          sender: customer.sender,
          messages: Array.from({ length: 500 }, () => ({ recipient: "09121234567", message: "Hello" })),
        }),
      });
      expect(response.status).toBe(202);
    }
    const revoking = peyk.operate("POST", "/keys/key_1/revoke", { cancelWaiting: true }).catch(() => null);
    await eventually(() => cancelled() > 0);
    await peyk.kill();
    expect(await revoking).toBeNull();
    const before = cancelled();
    expect(before).toBeLessThan(messages);
    expect(count("message WHERE state = 'ready'")).toBe(messages - before);

    peyk = await PeykProcess.start({ folder: folder.path });
    expect(await peyk.operate("POST", "/keys/key_1/revoke", { cancelWaiting: true })).toMatchObject({
      status: "revoked",
      waiting: { cancelled: messages - before, unattributed: 0 },
    });
    expect([cancelled(), count("timeline WHERE kind = 'cancelled'")]).toEqual([messages, messages]);
    await peyk.stop();
  },
  { timeout: 120_000 },
);
