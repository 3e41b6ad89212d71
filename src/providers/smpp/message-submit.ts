/** Collects the results of a message's parts, and derives the message's outcome from them. */
import type { Reason } from "../../domain/reason.ts";
import type { SubmitOutcome } from "../provider.ts";
import type { SubmitRefusal } from "./submit-errors.ts";

/** How the submit of one part ended. */
export type PartResult =
  | { kind: "accepted"; id: string | null }
  | { kind: "refused"; refusal: SubmitRefusal }
  /** It was never written to the socket. */
  | { kind: "unsent"; reason: Reason }
  /** It was written but not answered. With `lateAnswer`, its bind still listens for the answer. */
  | { kind: "uncertain"; reason: Reason; lateAnswer: boolean };

/**
 * An accepted part stays accepted: when the message is sent again after some of its parts were refused, only the others
 * are sent, under the same reference. `undefined` marks a part that is not accepted yet.
 */
export interface MessageProgress {
  reference: number;
  ids: (string | null | undefined)[];
}

/** Called once when all parts are settled, and again whenever a late answer changes the outcome. */
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

  /** False once a part was refused: the remaining parts need not be sent. */
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

  /** The message's outcome, judged by the parts that are settled. */
  outcome(): SubmitOutcome {
    return outcomeOf(this.#results.flatMap((settled) => settled ?? []));
  }
}

/**
 * If parts ended differently, a final refusal decides, because the message can no longer arrive whole; then an
 * unanswered part, because resending it needs the route's policy; then a temporary refusal.
 */
function outcomeOf(results: readonly PartResult[]): SubmitOutcome {
  const partIds = results.flatMap((result) => (result.kind === "accepted" ? [result.id] : []));
  if (partIds.length === results.length) return { kind: "accepted", partIds };
  const refusals = results.flatMap((result) => (result.kind === "refused" ? [result.refusal] : []));
  const partly = { code: "partly_accepted", accepted: partIds.length, parts: results.length } as const;
  const withAccepted = (outcome: Exclude<SubmitOutcome, { kind: "accepted" }>): SubmitOutcome =>
    partIds.length === 0 ? outcome : { ...outcome, reason: { ...partly, cause: outcome.reason } };
  const rejected = refusals.find((refusal) => refusal.kind === "rejected");
  if (rejected !== undefined) return withAccepted(rejected);
  const uncertain = results.filter((result) => result.kind === "uncertain");
  const [firstUncertain] = uncertain;
  if (firstUncertain !== undefined) {
    const lateAnswer = uncertain.every((result) => result.lateAnswer);
    return withAccepted({ kind: "uncertain", reason: firstUncertain.reason, lateAnswer });
  }
  const again = refusals.find((refusal) => refusal.kind === "temporary") ?? refusals[0];
  if (again !== undefined) return withAccepted(again);
  const unsent = results.find((result) => result.kind === "unsent");
  if (unsent === undefined) throw new Error("A part ended in no known way");
  return withAccepted({ kind: "not_sent", reason: unsent.reason });
}
