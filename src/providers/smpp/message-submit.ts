/** One message on its way: collects what became of its parts and says what that means for the message. */
import type { SubmitOutcome } from "../provider.ts";
import type { SubmitRefusal } from "./submit-errors.ts";

/** What became of one part. */
export type PartResult =
  | { kind: "accepted"; id: string | null }
  | { kind: "refused"; refusal: SubmitRefusal }
  /** It was never written to the socket. */
  | { kind: "unsent"; detail: string }
  /** It was written and not answered. With `lateAnswer`, its bind still listens for the answer. */
  | { kind: "uncertain"; detail: string; lateAnswer: boolean };

/**
 * A part accepted earlier stays accepted: when a message comes again after a refusal of some of its parts, only the
 * others are sent, under the same reference. `undefined` stands where a part is still to be accepted.
 */
export interface MessageProgress {
  reference: number;
  ids: (string | null | undefined)[];
}

/** Told once when all parts are settled, and again whenever a late answer changes what is known. */
type Settled = (outcome: SubmitOutcome, late: boolean) => void;

export class MessageSubmit {
  readonly #results: (PartResult | undefined)[];
  #open: number;

  constructor(
    readonly messageId: number,
    readonly progress: MessageProgress,
    readonly settled: Settled,
  ) {
    this.#results = progress.ids.map((id) => (id === undefined ? undefined : { kind: "accepted", id }));
    this.#open = progress.ids.filter((id) => id === undefined).length;
  }

  /** False once a part was refused: what was not sent yet need not be. */
  get wanted(): boolean {
    return !this.#results.some((result) => result?.kind === "refused");
  }

  /** The first result of part `index`, or the late answer after its `uncertain` one. */
  settle(index: number, result: PartResult): void {
    const late = this.#results[index] !== undefined;
    this.#results[index] = result;
    if (result.kind === "accepted") this.progress.ids[index] = result.id;
    if (!late) this.#open -= 1;
    if (this.#open > 0) return;
    const outcome = this.outcome();
    if (late && outcome.kind === "uncertain") return;
    this.settled(outcome, late);
  }

  /** What the parts settled so far mean for the message. */
  outcome(): SubmitOutcome {
    return outcomeOf(this.#results.flatMap((settled) => settled ?? []));
  }
}

/**
 * Parts disagree: a final refusal is final for the whole message, for it can no longer arrive whole; then comes what
 * is not known, for it may be resent only under the route's policy; then what may be tried again. What was accepted
 * beside it is told in the detail.
 */
function outcomeOf(results: readonly PartResult[]): SubmitOutcome {
  const partIds = results.flatMap((result) => (result.kind === "accepted" ? [result.id] : []));
  if (partIds.length === results.length) return { kind: "accepted", partIds };
  const refusals = results.flatMap((result) => (result.kind === "refused" ? [result.refusal] : []));
  const beside = partIds.length === 0 ? "" : `; ${partIds.length} of ${results.length} parts were accepted`;
  const told = (outcome: Exclude<SubmitOutcome, { kind: "accepted" }>): SubmitOutcome => ({
    ...outcome,
    detail: outcome.detail + beside,
  });
  const rejected = refusals.find((refusal) => refusal.kind === "rejected");
  if (rejected !== undefined) return told(rejected);
  const uncertain = results.filter((result) => result.kind === "uncertain");
  const [firstUncertain] = uncertain;
  if (firstUncertain !== undefined) {
    const lateAnswer = uncertain.every((result) => result.lateAnswer);
    return told({ kind: "uncertain", detail: firstUncertain.detail, lateAnswer });
  }
  const again = refusals.find((refusal) => refusal.kind === "temporary") ?? refusals[0];
  if (again !== undefined) return told(again);
  const unsent = results.find((result) => result.kind === "unsent");
  return told({ kind: "not_sent", detail: unsent?.detail ?? "nothing was sent" });
}
