/** What a carrier's refusal of a submit means (SMPP 3.4 §5.1.3). */
import type { MessageErrorCode } from "../../domain/message.ts";
import type { SubmitOutcome } from "../provider.ts";
import { commandStatus, statusName } from "./constants.ts";

/** A refused part: either the message is refused, or it never counted as sent and the bind must be made anew. */
export type SubmitRefusal = Extract<SubmitOutcome, { kind: "rejected" | "temporary" | "throttled" }>;

/** How long a bind is left alone after it said "too fast". */
export const throttlePauseMs = 1_000;

export interface StatusOverrides {
  temporaryErrors: readonly number[];
  throttlingErrors: readonly number[];
}

const throttling = new Set<number>([commandStatus.throttled, commandStatus.queueFull]);
const temporary = new Set<number>([commandStatus.systemError, commandStatus.temporaryApplicationError]);
/** Wrong only now and then: tried once more, then final. */
const secondChance = new Set<number>([commandStatus.submitFailed]);
const recipientInvalid = new Set<number>([
  commandStatus.invalidDestination,
  commandStatus.invalidDestinationTon,
  commandStatus.invalidDestinationNpi,
]);

/** A submit_sm_resp with a status other than ESME_ROK and ESME_RINVBNDSTS. */
export function refusalOf(status: number, overrides: StatusOverrides): SubmitRefusal {
  const detail = `the SMSC refused: ${statusName(status)}`;
  if (throttling.has(status) || overrides.throttlingErrors.includes(status)) {
    return { kind: "throttled", detail, retryAfterMs: throttlePauseMs, pause: "route" };
  }
  if (temporary.has(status) || overrides.temporaryErrors.includes(status)) return { kind: "temporary", detail };
  const error: MessageErrorCode = recipientInvalid.has(status) ? "recipient_invalid" : "rejected_by_network";
  if (secondChance.has(status)) return { kind: "temporary", detail, attemptsMax: 2, error };
  return { kind: "rejected", error, detail };
}

/** A generic_nack in answer to a submit: the SMSC could not read it. That may be the line's fault once, not twice. */
export function nackRefusal(status: number, overrides: StatusOverrides): SubmitRefusal {
  const refusal = refusalOf(status, overrides);
  if (refusal.kind !== "rejected") return refusal;
  const detail = `the SMSC answered with generic_nack: ${statusName(status)}`;
  return { kind: "temporary", detail, attemptsMax: 2, error: "rejected_by_network" };
}
