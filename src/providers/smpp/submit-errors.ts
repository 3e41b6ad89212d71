/** Maps a carrier's refusal of a submit to an outcome (SMPP 3.4 §5.1.3). */
import type { MessageErrorCode } from "../../domain/message.ts";
import type { Reason } from "../../domain/reason.ts";
import { commandStatus, namedStatus } from "../../smpp/constants.ts";
import type { SubmitOutcome } from "../provider.ts";
import type { SmppOptions } from "./options.ts";

/** How the SMSC refused a part. */
export type SubmitRefusal = Extract<SubmitOutcome, { kind: "rejected" | "temporary" | "throttled" }>;

/** What a route's file says about statuses. */
export type StatusOverrides = Pick<
  SmppOptions,
  "temporaryErrors" | "throttlingErrors" | "throttlePauseMs" | "throttleScope"
>;

const throttling = new Set<number>([commandStatus.throttled, commandStatus.queueFull]);
const temporary = new Set<number>([commandStatus.systemError, commandStatus.temporaryApplicationError]);
/** Retried once, then final. */
const triedTwice = new Set<number>([commandStatus.submitFailed]);
const recipientInvalid = new Set<number>([
  commandStatus.invalidDestination,
  commandStatus.invalidDestinationTon,
  commandStatus.invalidDestinationNpi,
]);

/** A submit_sm_resp with a status other than ESME_ROK and ESME_RINVBNDSTS. */
export function refusalOf(status: number, overrides: StatusOverrides): SubmitRefusal {
  const reason: Reason = { code: "smpp_refused", ...namedStatus(status) };
  if (throttling.has(status) || overrides.throttlingErrors.includes(status)) {
    const pause = overrides.throttleScope === "route" ? "route" : "message";
    return { kind: "throttled", reason, retryAfterMs: overrides.throttlePauseMs, pause };
  }
  if (temporary.has(status) || overrides.temporaryErrors.includes(status)) return { kind: "temporary", reason };
  const error: MessageErrorCode = recipientInvalid.has(status) ? "recipient_invalid" : "rejected_by_network";
  if (triedTwice.has(status)) return { kind: "temporary", reason, attemptsMax: 2, error };
  return { kind: "rejected", error, reason };
}

/** How long a throttling status asks to wait; null for any other status. */
export function throttlePauseMsOf(status: number, overrides: StatusOverrides): number | null {
  const refusal = refusalOf(status, overrides);
  return refusal.kind === "throttled" ? refusal.retryAfterMs : null;
}

/**
 * A generic_nack in answer to a submit: the SMSC could not read it. The connection may be to blame once, not twice.
 */
export function nackRefusal(status: number, overrides: StatusOverrides): SubmitRefusal {
  const refusal = refusalOf(status, overrides);
  if (refusal.kind !== "rejected") return refusal;
  const reason: Reason = { code: "smpp_nack", ...namedStatus(status) };
  return { kind: "temporary", reason, attemptsMax: 2, error: "rejected_by_network" };
}
