/** The clients of a proof: each repeats a request with its key until it is acknowledged, and remembers what it was told. */
import type { OperatorClient } from "../../operator/client.ts";
import { type Acknowledged, price, topUp } from "./checker.ts";

const sender = "30001234";
const clientCount = 4;
const [pauseMs, againMs, answerMsMax] = [25, 150, 10_000];
const [batchEvery, batchSize, scheduledEvery] = [7, 5, 11];
/** Cancelled long before. */
const scheduledMs = 30 * 60_000;
const firstNumber = 9_120_000_000;

/** Of a prepaid customer with a quota, whom a simulated carrier serves. Returns its API key. */
export async function addCustomer(api: OperatorClient): Promise<string> {
  await api("PUT /routes/:name", { name: "simulator", options: { delayMs: 50 } });
  const { id } = await api("POST /accounts", { name: "Proof" });
  await api("POST /accounts/:id/senders", { id, sender });
  await api("POST /prices/:list", { list: "proof", prefix: "*", price: String(price) });
  await api("PUT /accounts/:id/billing", { id, list: "proof", mode: "prepaid" });
  await api("POST /accounts/:id/topup", { id, amount: topUp });
  await api("PUT /quotas/:of", { of: id, month: topUp });
  return (await api("POST /keys", { account: id, name: "proof", rate: 1_000_000 })).apiKey;
}

const isSent = (value: unknown): value is { trackingCode: string } =>
  typeof value === "object" && value !== null && "trackingCode" in value && typeof value.trackingCode === "string";

export class HonestClients {
  /** Null while nobody serves. */
  readonly #url: () => string | null;
  readonly #apiKey: string;
  readonly acknowledged: Acknowledged[] = [];
  /** Requests that were sent again, and how many of them because they were refused with 503. */
  repeats = 0;
  refusals = 0;
  /** What no client may be told. */
  readonly findings: string[] = [];
  #isOver = false;
  #number = 0;
  readonly #running: Promise<unknown>;

  constructor(apiKey: string, url: () => string | null) {
    this.#apiKey = apiKey;
    this.#url = url;
    this.#running = Promise.all(Array.from({ length: clientCount }, () => this.#loop()));
  }

  /** No request begins any more; resolves once each is acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #loop(): Promise<void> {
    for (let turn = 1; !this.#isOver; turn += 1) {
      if (turn % scheduledEvery === 0) await this.#sendAndCancel();
      else await this.#send(turn % batchEvery === 0 ? batchSize : 1);
      await Bun.sleep(pauseMs);
    }
  }

  async #send(count: number, sendAt?: string): Promise<Acknowledged[]> {
    const messages = Array.from({ length: count }, () => {
      this.#number += 1;
      // The simulator delivers what ends with 00.
      return { recipient: `+98${firstNumber + this.#number * 100}`, message: "A proof" };
    });
    const one = { sender, ...messages[0], sendAt };
    const path = `/v1/messages${count > 1 ? "/batch" : sendAt === undefined ? "" : "/scheduled"}`;
    const { status, body } = await this.#acknowledgement(path, count > 1 ? { sender, messages } : one);
    const codes = [body].flat().filter(isSent);
    if (codes.length !== count) this.findings.push(`${path} got ${status}: ${JSON.stringify(body).slice(0, 200)}`);
    const made = codes.map(({ trackingCode: code }, index) => {
      return { code, recipient: messages[index]?.recipient ?? "", isCancelled: false };
    });
    this.acknowledged.push(...made);
    return made;
  }

  async #sendAndCancel(): Promise<void> {
    for (const made of await this.#send(1, new Date(Date.now() + scheduledMs).toISOString())) {
      const { status } = await this.#acknowledgement(`/v1/messages/${made.code}/cancel`, null);
      made.isCancelled = status === 200;
      if (status !== 200) this.findings.push(`the cancel of ${made.code}, long before its time, got ${status}`);
    }
  }

  /** Anything but silence, 429 and 503. */
  async #acknowledgement(path: string, body: object | null): Promise<{ status: number; body: unknown }> {
    const headers = {
      "X-API-Key": this.#apiKey,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    };
    for (;;) {
      try {
        const request = { method: "POST", headers, body: body && JSON.stringify(body) };
        const answer = await fetch(this.#url() + path, { ...request, signal: AbortSignal.timeout(answerMsMax) });
        const told: unknown = await answer.json();
        if (answer.status !== 503 && answer.status !== 429) return { status: answer.status, body: told };
        this.refusals += 1;
      } catch {
        // Nobody knows whether it was accepted.
      }
      this.repeats += 1;
      await Bun.sleep(againMs);
    }
  }
}
