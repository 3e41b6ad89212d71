/** What happens to a message that a carrier may or may not have taken; each route chooses. */
import type { MessageErrorCode } from "./message.ts";

export interface UncertainPolicy {
  /** Whether it is sent again and may arrive twice, or fails and may have arrived anyway. */
  onUncertain: "resend" | "fail";
  /** How many times a message is sent again. */
  resends: number;
  /** How long a resend waits; null: until late answers are no longer awaited, or not at all if none can come. */
  resendAfterMs: number | null;
}

export const defaultUncertainPolicy: UncertainPolicy = { onUncertain: "resend", resends: 2, resendAfterMs: null };

/** How long to wait for a late answer if the route does not say. */
export const lateAnswerMs = 20_000;

/** Unanswered attempts after which the message fails. */
export function uncertainAttemptsMax({ onUncertain, resends }: UncertainPolicy): number {
  return onUncertain === "fail" ? 1 : resends + 1;
}

/**
 * The error of a message that fails before a carrier took it. After an unanswered attempt it may have arrived, so an
 * error that says nothing was sent would be wrong; an invalid number is invalid in all attempts.
 */
export function errorAfter(uncertainAttempts: number, error: MessageErrorCode): MessageErrorCode {
  return uncertainAttempts > 0 && error !== "recipient_invalid" ? "undeliverable" : error;
}
