/** The embedded carrier: it sends nothing, and the recipient's last two digits decide what it does. */

import { JsonFileReader, type JsonFileResult } from "../domain/json-file.ts";
import type { Clock } from "../platform/clock.ts";
import { readFailover } from "./failover-file.ts";
import {
  lastErrorOf,
  type PhoneText,
  type ProbeStep,
  type Provider,
  type ProviderDeps,
  type ProviderEvents,
  type ProviderHealth,
  phoneTextsMax,
  probeStep,
  type Receipt,
  type Submission,
  type SubmitOutcome,
} from "./provider.ts";
import { readUncertainPolicy } from "./uncertain-policy-file.ts";

export interface SimulatorOptions {
  /** How long an answer and then a receipt take, in milliseconds. */
  delayMs: number;
  partsPerSecond: number | null;
  window: number;
}

/** Reads a simulator's route file; every problem is named with its key. */
export function parseSimulatorOptions(file: unknown): JsonFileResult<SimulatorOptions> {
  return JsonFileReader.read(file, readSimulatorOptions);
}

export const readSimulatorOptions = (reader: JsonFileReader): SimulatorOptions => ({
  delayMs: reader.number("delayMs", 50, { min: 0, max: 60_000 }),
  partsPerSecond: reader.number("partsPerSecond", null, { min: 0.1, max: 100_000, fractions: true }),
  window: reader.number("window", 1_000, { min: 1, max: 100_000 }),
  ...readUncertainPolicy(reader),
  ...readFailover(reader),
});

/** How long a submit without an answer stays open, as in a real session. */
const responseTimeoutMs = 10_000;
const throttledMs = 3_000;
const temporaryRefusals = 2;
/** Throttled messages remembered; beyond that all are forgotten, and each is throttled again. */
const throttledMax = 10_000;

const refused: SubmitOutcome = {
  kind: "rejected",
  error: "rejected_by_network",
  reason: { code: "simulated_refusal" },
};

function temporaryRefusal(attempt: number): SubmitOutcome {
  const reason = { code: "simulated_temporary_refusal", refusal: attempt, refusals: temporaryRefusals } as const;
  return { kind: "temporary", reason };
}

type Report = Pick<Receipt, "state" | "detail"> & Partial<Pick<Receipt, "error">>;

const delivered: Report = { state: "delivered", detail: "stat:DELIVRD" };
/** By the recipient's last two digits; null for no receipt at all. Every other number is delivered. */
const reports = new Map<string, Report | null>([
  ["01", { state: "failed", error: "undeliverable", detail: "stat:UNDELIV" }],
  ["03", null],
  ["06", { state: "failed", error: "expired", detail: "stat:EXPIRED" }],
]);

const reportFor = (ending: string): Report | null => (reports.has(ending) ? (reports.get(ending) ?? null) : delivered);

function accepted({ trackingCode, partCount, attempt }: Submission): SubmitOutcome {
  const partIds = Array.from({ length: partCount }, (_, index) => `${trackingCode}-${attempt}-${index + 1}`);
  return { kind: "accepted", partIds };
}

export class SimulatorProvider implements Provider {
  readonly #options: SimulatorOptions;
  readonly #events: ProviderEvents;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #throttledSince = new Map<number, number>();
  /** Submits that stay unanswered, by message. */
  readonly #silent = new Map<number, (outcome: SubmitOutcome) => void>();
  /** Includes texts of one-time passwords, so only in memory. */
  #received: PhoneText[] = [];
  /** Accepted, but not at its phone yet. */
  readonly #underway = new Set<Submission>();
  #isRunning = false;

  constructor(options: SimulatorOptions, events: ProviderEvents, { clock }: Pick<ProviderDeps, "clock">) {
    this.#options = options;
    this.#events = events;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  start(): void {
    this.#isRunning = true;
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const messageId of [...this.#silent.keys()]) this.#timeOut(messageId);
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return new Promise((resolve) => {
      if (!this.#isRunning) resolve({ kind: "not_sent", reason: { code: "simulator_stopped" } });
      else this.#clock.after(this.#options.delayMs, () => this.#answer(submission, resolve));
    });
  }

  health(): ProviderHealth {
    const { window, partsPerSecond } = this.#options;
    const state = this.#isRunning ? "up" : "stopped";
    const link = { name: "simulator", state, ...lastErrorOf(null), since: this.#startedAt };
    return { up: this.#isRunning, window, partsPerSecond, links: [link] };
  }

  recall({ providerId, recipient }: { providerId: string | null; recipient: string }): void {
    this.#clock.after(this.#options.delayMs, () => void this.#report([providerId], recipient.slice(-2)));
  }

  received(): readonly PhoneText[] {
    return this.#received;
  }

  emptyPhone(recipient: string): void {
    this.#received = this.#received.filter((text) => text.recipient !== recipient);
    for (const submission of this.#underway) if (submission.recipient === recipient) this.#underway.delete(submission);
  }

  async probe(): Promise<readonly ProbeStep[]> {
    return [probeStep("simulate", true, { code: "test_simulated" })];
  }

  #answer(submission: Submission, resolve: (outcome: SubmitOutcome) => void): void {
    const ending = submission.recipient.slice(-2);
    const outcome = this.#outcomeOf(submission, ending);
    if (outcome?.kind === "accepted") this.#underway.add(submission);
    if (outcome === null) {
      this.#staySilent(submission.messageId, resolve);
    } else if (outcome.kind === "accepted" && ending === "07") {
      void this.#deliver(submission, outcome.partIds, ending).then(() =>
        this.#clock.after(this.#options.delayMs, () => resolve(outcome)),
      );
    } else {
      resolve(outcome);
      if (outcome.kind !== "accepted") return;
      this.#clock.after(this.#options.delayMs, () => void this.#deliver(submission, outcome.partIds, ending));
    }
  }

  /** The message reaches its phone, or fails to, and its receipts say so. */
  #deliver(submission: Submission, ids: readonly (string | null)[], ending: string) {
    const isReceived = this.#underway.delete(submission) && reportFor(ending)?.state === "delivered";
    if (isReceived) {
      const { trackingCode, sender, recipient, text } = submission;
      this.#received.push({ trackingCode, sender, recipient, text, receivedAt: this.#clock.now() });
      if (this.#received.length > phoneTextsMax) this.#received.shift();
    }
    return this.#report(ids, ending);
  }

  /** Null for no answer. */
  #outcomeOf(submission: Submission, ending: string): SubmitOutcome | null {
    if (ending === "02") return refused;
    if (ending === "04" && submission.attempt <= temporaryRefusals) return temporaryRefusal(submission.attempt);
    if (ending === "05") return this.#throttle(submission);
    return ending === "08" ? null : accepted(submission);
  }

  #throttle(submission: Submission): SubmitOutcome {
    const now = this.#clock.monotonic();
    const since = this.#throttledSince.get(submission.messageId) ?? now;
    if (this.#throttledSince.size >= throttledMax) this.#throttledSince.clear();
    this.#throttledSince.set(submission.messageId, since);
    const leftMs = Math.ceil(since + throttledMs - now);
    if (leftMs > 0) {
      return { kind: "throttled", reason: { code: "simulated_throttling" }, retryAfterMs: leftMs, pause: "message" };
    }
    this.#throttledSince.delete(submission.messageId);
    return accepted(submission);
  }

  #staySilent(messageId: number, resolve: (outcome: SubmitOutcome) => void): void {
    this.#silent.set(messageId, resolve);
    if (this.#isRunning) this.#clock.after(responseTimeoutMs, () => this.#timeOut(messageId));
    else this.#timeOut(messageId);
  }

  #timeOut(messageId: number): void {
    this.#silent.get(messageId)?.({ kind: "uncertain", reason: { code: "simulated_silence" }, lateAnswer: false });
    this.#silent.delete(messageId);
  }

  async #report(ids: readonly (string | null)[], ending: string): Promise<void> {
    const report = reportFor(ending);
    if (report === null) return;
    for (const id of ids) {
      if (id === null) continue;
      // A receipt that the disk refused is sent again, as a real carrier would if it is not acknowledged.
      await this.#events.receipt({ ids: [id], at: this.#clock.now(), ...report }).catch(() => {
        this.#clock.after(1_000, () => void this.#report([id], ending));
      });
    }
  }
}
