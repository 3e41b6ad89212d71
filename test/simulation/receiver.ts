/** The customer's receiver of callbacks: answers according to its temper, and remembers what it was told, and in which order. */
import type { CallbackNetwork } from "../../src/webhooks/callback-network.ts";
import {
  type CallbackRequest,
  type CallbackResponse,
  TransportFailed,
} from "../../src/webhooks/transport/transport.ts";
import { Chance } from "./chance.ts";
import { reportIn, reportsOf } from "./drop-in.ts";
import type { Model } from "./model.ts";
import type { ReceiverTemper } from "./plan.ts";
import { time } from "./virtual-time.ts";

interface Envelope {
  /** A text from a phone has no status. */
  data: { trackingCode: string; status?: string };
}

interface Told {
  code: string;
  status: string;
  requests: number;
  /** When its first success left; null until one did. */
  acknowledgedAt: number | null;
}

/** After an answer Peyk stores it within this time, unless the disk refuses. */
const storedMs = 1_500;
/** From this attempt on, a later event need not wait for an earlier one. */
const orderedAttempts = 4;
const attemptsMax = 8;
/** Jasmin's receivers say so. */
const acknowledged = new TextEncoder().encode("ACK/Jasmin");

export class Receiver {
  isUp = true;
  isCalm = false;
  readonly #events = new Map<string, Told>();
  readonly #byCode = new Map<string, Told[]>();
  readonly #model: Model;
  readonly #seed: number;
  readonly #temper: ReceiverTemper;

  constructor(model: Model, seed: number, temper: ReceiverTemper) {
    this.#model = model;
    this.#seed = seed;
    this.#temper = temper;
  }

  networkOf(isAlive: () => boolean): CallbackNetwork {
    return {
      resolver: { resolve: async () => ["127.0.0.1"] },
      transport: {
        post: (request, signal) => this.#post(request, signal, isAlive),
        close: () => {},
      },
    };
  }

  #post(request: CallbackRequest, signal: AbortSignal, isAlive: () => boolean): Promise<CallbackResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<CallbackResponse>();
    const fail = (failure: TransportFailed["failure"]) => isAlive() && reject(new TransportFailed(failure, failure));
    signal.addEventListener("abort", () => fail("aborted"), { once: true });
    const body = Buffer.from(request.body).toString("utf8");
    const report = reportIn(request.target, body);
    const { data }: Envelope =
      report === null ? JSON.parse(body) : { data: { trackingCode: reportsOf(report.code), status: report.step } };
    const id = request.headers["X-Service-Event-Id"] ?? `${data.trackingCode} ${data.status}`;
    time.after(1, () => {
      if (!isAlive()) return;
      const { trackingCode, status: reached = "received" } = data;
      const told = this.#events.get(id) ?? {
        code: trackingCode,
        status: reached,
        requests: 0,
        acknowledgedAt: null,
      };
      told.requests += 1;
      const chance = new Chance(this.#seed, "receiver", trackingCode, reached, told.requests);
      const { refuses, hangs, fails, loses } = this.#temper;
      const troubles = this.isCalm ? 0 : 1;
      this.#remember(id, told);
      if (!this.isUp || chance.happens(troubles * refuses)) return fail("connect_failed");
      if (chance.happens(troubles * hangs)) return;
      const takesMs = chance.between(1, 30);
      const isLost = chance.happens(troubles * loses);
      const status = chance.happens(troubles * fails) ? 500 : 200;
      time.after(takesMs, () => {
        if (isLost) return fail("connection_lost");
        if (!isAlive()) return;
        if (status === 200) told.acknowledgedAt ??= time.monotonic;
        resolve({ status, retryAfter: null, body: acknowledged });
      });
    });
    return promise;
  }

  #remember(id: string, told: Told): void {
    const { code, status, acknowledgedAt, requests } = told;
    this.#model.journal.tell("callback", code, status, requests);
    const known = this.#byCode.get(code) ?? [];
    if (requests === 1) {
      this.#events.set(id, told);
      this.#byCode.set(code, [...known, told]);
      const unheard = known.find((earlier) => earlier.acknowledgedAt === null && earlier.requests < orderedAttempts);
      if (unheard !== undefined && !this.#mayBeDone(unheard)) {
        this.#model.journal.violated("events", `${status} of ${code} came before ${unheard.status} was acknowledged`);
      }
      return;
    }
    if (acknowledgedAt === null) return;
    const storedAt = acknowledgedAt + storedMs;
    const until = this.#model.disturbances.touch(["disk"], acknowledgedAt - storedMs, storedAt)
      ? this.#model.disturbances.endOf(["disk"], storedAt, storedAt) + 10_000
      : storedAt;
    // A suspension ends current attempts, whatever the receiver answers.
    if (this.#model.disturbances.touch(["crash", "operator"], acknowledgedAt - 1, until)) return;
    this.#model.journal.violated("events once", `${status} of ${code} came again though it was acknowledged`);
  }

  /** Its success is on its way. */
  #mayBeDone({ acknowledgedAt }: Told): boolean {
    return acknowledgedAt !== null;
  }

  /** The steps that were reported of a message, in the order of their first request; null if one was given up. */
  toldOf(code: string): string[] | null {
    const told = this.#byCode.get(code) ?? [];
    return told.some(({ requests }) => requests >= orderedAttempts) ? null : told.map(({ status }) => status);
  }

  /** Every step was reported, and none was given up. */
  hasAll(code: string, statuses: readonly string[]): boolean {
    const told = this.#byCode.get(code) ?? [];
    return statuses.every((status) =>
      told.some((one) => one.status === status && (one.acknowledgedAt !== null || one.requests >= attemptsMax)),
    );
  }
}
