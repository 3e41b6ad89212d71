/** Batches of 500: messages a second over a few connections. */

import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { type Measure, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";

export const batchSize = 500;
const clients = 4;

function body(sender: string, seed: number): string {
  const messages = Array.from({ length: batchSize }, (_, index) => ({
    recipient: `0912${String((seed * batchSize + index) % 10_000_000).padStart(7, "0")}`,
    message: `سلام، کد پیگیری شما ${seed}-${index} است`,
  }));
  return JSON.stringify({ sender, messages });
}

/** Messages a second. Continues while `more` holds for the number of batches started; throws unless each is accepted. */
export async function sendBatches({ peyk, customer }: BenchServer, more: (begun: number) => boolean): Promise<number> {
  const bodies = Array.from({ length: 16 }, (_, seed) => body(customer.sender, seed));
  const run = crypto.randomUUID();
  let begun = 0;
  async function client(): Promise<void> {
    while (more(begun)) {
      const count = begun++;
      const headers = { "content-type": "application/json", "idempotency-key": `${run}-${count}` };
      const response = await peyk.request(customer, "/v1/messages/batch", {
        method: "POST",
        headers,
        body: bodies[count % bodies.length] ?? "",
      });
      if (response.status !== 202)
        throw new Error(`A batch was answered with ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return (begun * batchSize) / ((performance.now() - startedAt) / 1_000);
}

function sendBatchesFor(server: BenchServer, seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  return sendBatches(server, () => performance.now() < endsAt);
}

export async function batchRows({ loadSeconds, warmSeconds }: Scale): Promise<Measure[]> {
  const server = await startBenchServer({ routesDisabled: true });
  await sendBatchesFor(server, warmSeconds);
  const rate = await sendBatchesFor(server, loadSeconds);
  await server.stop();
  const what = `batches of ${batchSize}, ${clients} connections, messages`;
  return [{ what, measured: perSecond(rate), bar: "60,000/s", met: rate >= 60_000 }];
}
