/** A carrier over HTTP: answers requests according to its temper, and calls Peyk with receipts until they are acknowledged. */
import type { Carrier, OwedReceipt } from "./carrier.ts";
import { OpenSubmits } from "./carrier.ts";
import { Chance } from "./chance.ts";
import { time } from "./virtual-time.ts";

const redeliverMs = 15_000;

/** Of what Peyk is told as the route's file. */
export const httpRouteFile = {
  request: {
    url: "http://carrier.lan/send",
    body: { json: { to: "{{recipientDigits}}", text: "{{text}}", report: "{{receiptUrl}}" } },
  },
  answer: {
    accepted: { status: 200 },
    temporary: { status: 503 },
    throttled: { status: 429 },
    rejected: { status: 422 },
    id: { json: "id" },
  },
  receipts: { id: "id", state: "state", delivered: ["DELIVERED"], failed: { FAILED: "undeliverable" } },
  callbackUrl: "http://127.0.0.1:28000/callbacks/carrier",
  callbackSecret: "a-secret-of-the-simulation",
} as const;

const statuses = { accepted: 200, temporary: 503, throttled: 429, rejected: 422 } as const;

const failure = (code: string) => Object.assign(new Error(code), { code });

export class HttpCarrier {
  readonly carrier: Carrier;
  readonly #open = new OpenSubmits();
  readonly #chance: Chance;
  /** Calls Peyk; null if it does not answer. */
  readonly #call: (url: string, body: string) => Promise<number | null>;
  readonly #delivering = new Set<OwedReceipt>();
  #reportUrl: string | null = null;
  #requests = new Set<() => void>();

  constructor(carrier: Carrier, seed: number, call: (url: string, body: string) => Promise<number | null>) {
    this.carrier = carrier;
    this.#chance = new Chance(seed, "http connections");
    this.#call = call;
    carrier.deliver = () => {
      for (const receipt of carrier.owed()) void this.#deliver(receipt);
    };
  }

  fetch(request: BunFetchRequestInit, isAlive: () => boolean): Promise<Response> {
    const { signal, body } = request;
    const { to, report }: { to: string; report: string } = JSON.parse(String(body));
    this.#reportUrl = report;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const settle = (act: () => void) => isAlive() && act();
    signal?.addEventListener("abort", () => reject(failure("ABORT_ERR")), { once: true });
    time.after(0.5 + 3 * this.#chance.fraction(), () => {
      if (!this.carrier.isUp) settle(() => reject(failure("ConnectionRefused")));
      else this.#take(to, (act) => settle(() => act(resolve, reject)));
    });
    return promise;
  }

  #take(
    recipient: string,
    settle: (act: (resolve: (response: Response) => void, reject: (reason: Error) => void) => void) => void,
  ): void {
    const open = this.#open.begin();
    this.carrier.judgeWindow(this.#open);
    const { decision, submit } = this.carrier.take(recipient, 1);
    const { answerAfterMs, resetAfterMs, outcome, id } = decision;
    const breaks = () => {
      this.#requests.delete(breaks);
      open.end();
      this.carrier.model.disturbances.add("connection", 3_000);
      settle((_, reject) => reject(failure("ECONNRESET")));
    };
    this.#requests.add(breaks);
    if (resetAfterMs !== null) time.after(resetAfterMs, breaks);
    if (answerAfterMs === null) return;
    time.after(answerAfterMs, () => {
      open.end();
      if (!this.#requests.delete(breaks)) return;
      this.carrier.answered(submit);
      const body = outcome === "accepted" ? { id } : { refused: outcome };
      const headers = { "Content-Type": "application/json" };
      settle((resolve) => resolve(new Response(JSON.stringify(body), { status: statuses[outcome], headers })));
    });
  }

  /** The process that asked is dead, and so are its connections. */
  serviceDied(): void {
    this.#open.forget();
    this.#requests.clear();
  }

  /** Another process, or a route that was started anew, begins with a window of its own, whatever the one before it still waits for. */
  anotherAsks(): void {
    this.#open.forget();
  }

  goDown(): void {
    this.carrier.isUp = false;
    this.reset();
  }

  comeUp(): void {
    this.carrier.isUp = true;
  }

  reset(): void {
    this.carrier.model.journal.tell("http: resets");
    for (const breaks of [...this.#requests]) breaks();
  }

  async #deliver(receipt: OwedReceipt): Promise<void> {
    if (this.#reportUrl === null || this.#delivering.has(receipt)) return;
    this.#delivering.add(receipt);
    this.carrier.model.receiptTold(receipt);
    const { id, isDelivered } = receipt;
    const status = await this.#call(
      this.#reportUrl,
      JSON.stringify({ id, state: isDelivered ? "DELIVERED" : "FAILED" }),
    );
    if (status === 200) this.carrier.acknowledged(receipt);
    else {
      time.after(redeliverMs, () => {
        this.#delivering.delete(receipt);
        this.carrier.deliver();
      });
    }
  }
}
