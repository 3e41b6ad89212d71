/** Batches of 500: messages a second over a few connections. */

import { type Measure, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import type { Subject } from "./subjects.ts";
import { startSubject } from "./subjects.ts";

const batchSize = 500;
const clients = 4;

function body(sender: string, seed: number): string {
  const messages = Array.from({ length: batchSize }, (_, index) => ({
    recipient: `0912${String((seed * batchSize + index) % 10_000_000).padStart(7, "0")}`,
    message: `سلام، کد پیگیری شما ${seed}-${index} است`,
  }));
  return JSON.stringify({ sender, messages });
}

export async function sendBatches({ peyk, customer }: Subject, forMs: number): Promise<number> {
  const bodies = Array.from({ length: 16 }, (_, seed) => body(customer.sender, seed));
  const endsAt = performance.now() + forMs;
  let accepted = 0;
  async function client(name: number): Promise<void> {
    for (let count = 0; performance.now() < endsAt; count += 1) {
      const headers = { "content-type": "application/json", "idempotency-key": `${name}-${count}-${endsAt}` };
      const response = await peyk.request(customer, "/v1/messages/batch", {
        method: "POST",
        headers,
        body: bodies[count % bodies.length] ?? "",
      });
      if (response.status !== 202)
        throw new Error(`A batch was answered with ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      accepted += batchSize;
    }
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return accepted / ((performance.now() - startedAt) / 1_000);
}

export async function batchRows({ loadSeconds, warmSeconds }: Scale): Promise<Measure[]> {
  const subject = await startSubject({ routesDisabled: true });
  await sendBatches(subject, warmSeconds * 1_000);
  const rate = await sendBatches(subject, loadSeconds * 1_000);
  await subject.stop();
  const what = `batches of ${batchSize}, ${clients} connections, messages`;
  return [{ what, measured: perSecond(rate), bar: "60,000/s", met: rate >= 60_000 }];
}
