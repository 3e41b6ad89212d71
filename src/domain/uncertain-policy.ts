/** What becomes of a message that a carrier may or may not have taken: a route's choice. */
import type { MessageErrorCode } from "./message.ts";

export interface UncertainPolicy {
  /** Whether it is sent again, and may arrive twice, or fails, and may have arrived all the same. */
  onUncertain: "resend" | "fail";
  /** How often one message is sent again. */
  resends: number;
  /** How long a resend waits; null: until no late answer is waited for, at once where none can come. */
  resendAfterMs: number | null;
}

export const defaultUncertainPolicy: UncertainPolicy = { onUncertain: "resend", resends: 2, resendAfterMs: null };

/** How long a late answer is waited for where the route does not say. */
export const lateAnswerMs = 20_000;

/** The attempts without an answer after which the message fails. */
export function uncertainAttemptsMax({ onUncertain, resends }: UncertainPolicy): number {
  return onUncertain === "fail" ? 1 : resends + 1;
}

/**
 * The error of a message that fails before a carrier took it. After an attempt without an answer it may have arrived, so an
 * error which says that nothing was sent would be wrong; that the number is invalid holds for all attempts alike.
 */
export function errorAfter(uncertainAttempts: number, error: MessageErrorCode): MessageErrorCode {
  return uncertainAttempts > 0 && error !== "recipient_invalid" ? "undeliverable" : error;
}
