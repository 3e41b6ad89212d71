/** The embedded carrier: nothing leaves the house, and the recipient's last two digits say what happens. */
import type { Clock } from "../platform/clock.ts";
import type { Provider, ProviderEvents, Receipt, Submission, SubmitOutcome } from "./provider.ts";
import { RouteFileReader, type RouteFileResult } from "./route-file.ts";

export interface SimulatorOptions {
  /** How long an answer and then a receipt take, in milliseconds. */
  delayMs: number;
  partsPerSecond: number | null;
  window: number;
}

/** Reads a simulator's route file; every problem is named with its key. */
export function parseSimulatorOptions(file: unknown): RouteFileResult<SimulatorOptions> {
  return RouteFileReader.read(file, (reader) => ({
    delayMs: reader.number("delayMs", 50, { min: 0, max: 60_000 }),
    partsPerSecond: reader.number("partsPerSecond", null, { min: 0.1, max: 100_000, fractions: true }),
    window: reader.number("window", 1_000, { min: 1, max: 100_000 }),
  }));
}

/** How long the simulator stays silent before its client gives up waiting, as a real session would. */
const responseTimeoutMs = 10_000;
const throttledMs = 3_000;
const temporaryRefusals = 2;
/** Throttled messages remembered at once; older ones are forgotten and would be throttled once more. */
const throttledMax = 10_000;

type Behaviour = (submission: Submission) => SubmitOutcome | "silence";

export function simulatorProvider(options: SimulatorOptions, events: ProviderEvents, clock: Clock): Provider {
  const startedAt = clock.now();
  const throttledSince = new Map<number, number>();
  const silent = new Map<number, (outcome: SubmitOutcome) => void>();
  let accepting = false;

  function partIds({ trackingCode, partCount, attempt }: Submission): string[] {
    return Array.from({ length: partCount }, (_, index) => `${trackingCode}-${attempt}-${index + 1}`);
  }

  const accept: Behaviour = (submission) => ({ kind: "accepted", partIds: partIds(submission) });

  function throttle(submission: Submission): SubmitOutcome {
    const now = clock.monotonic();
    const since = throttledSince.get(submission.messageId) ?? now;
    if (throttledSince.size >= throttledMax) throttledSince.clear();
    throttledSince.set(submission.messageId, since);
    const leftMs = since + throttledMs - now;
    if (leftMs > 0)
      return { kind: "throttled", reason: { code: "simulated_throttling" }, retryAfterMs: leftMs, pause: "message" };
    throttledSince.delete(submission.messageId);
    return { kind: "accepted", partIds: partIds(submission) };
  }

  const refuseTwice: Behaviour = (submission) =>
    submission.attempt <= temporaryRefusals
      ? {
          kind: "temporary",
          reason: { code: "simulated_temporary_refusal", refusal: submission.attempt, refusals: temporaryRefusals },
        }
      : { kind: "accepted", partIds: partIds(submission) };

  const refuse: Behaviour = () => ({
    kind: "rejected",
    error: "rejected_by_network",
    reason: { code: "simulated_refusal" },
  });

  /** By the recipient's last two digits; every other number is simply delivered. */
  const answers: Readonly<Record<string, Behaviour>> = {
    "02": refuse,
    "04": refuseTwice,
    "05": throttle,
    "08": () => "silence",
  };

  type Report = Pick<Receipt, "state" | "detail"> & Partial<Pick<Receipt, "error">>;
  const reports: Readonly<Record<string, Report | null>> = {
    "01": { state: "failed", error: "undeliverable", detail: "stat:UNDELIV" },
    "03": null,
    "06": { state: "failed", error: "expired", detail: "stat:EXPIRED" },
  };
  const delivered: Report = { state: "delivered", detail: "stat:DELIVRD" };

  async function report(ids: readonly string[], ending: string): Promise<void> {
    const said = reports[ending] === undefined ? delivered : reports[ending];
    if (said === null) return;
    for (const id of ids) {
      // A receipt that the disk refused is sent again, as a real carrier does when it is not acknowledged.
      await events.receipt({ ids: [id], at: clock.now(), ...said }).catch(() => {
        clock.after(1_000, () => void report([id], ending));
      });
    }
  }

  function answer(submission: Submission, resolve: (outcome: SubmitOutcome) => void): void {
    const ending = submission.recipient.slice(-2);
    const outcome = (answers[ending] ?? accept)(submission);
    if (outcome === "silence") {
      staySilent(submission.messageId, resolve);
    } else if (outcome.kind === "accepted" && ending === "07") {
      void report(partIds(submission), ending).then(() => clock.after(options.delayMs, () => resolve(outcome)));
    } else {
      resolve(outcome);
      if (outcome.kind === "accepted") clock.after(options.delayMs, () => void report(partIds(submission), ending));
    }
  }

  function staySilent(messageId: number, resolve: (outcome: SubmitOutcome) => void): void {
    silent.set(messageId, resolve);
    if (accepting) clock.after(responseTimeoutMs, () => giveUp(messageId));
    else giveUp(messageId);
  }

  function giveUp(messageId: number): void {
    silent.get(messageId)?.({ kind: "uncertain", reason: { code: "simulated_silence" }, lateAnswer: false });
    silent.delete(messageId);
  }

  return {
    start() {
      accepting = true;
    },
    async stop() {
      accepting = false;
      for (const messageId of [...silent.keys()]) giveUp(messageId);
    },
    submit: (submission) =>
      new Promise((resolve) => {
        if (!accepting) resolve({ kind: "not_sent", reason: { code: "simulator_stopped" } });
        else clock.after(options.delayMs, () => answer(submission, resolve));
      }),
    health: () => ({
      up: accepting,
      window: options.window,
      partsPerSecond: options.partsPerSecond,
      links: [{ name: "simulator", state: accepting ? "up" : "stopped", lastError: null, since: startedAt }],
    }),
    probe: async () => [{ step: "simulate", ok: true, detail: "Nothing leaves the house: this route only pretends." }],
  };
}
