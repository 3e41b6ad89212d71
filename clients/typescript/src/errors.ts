/** How a call fails. */
import type { ErrorAnswer, FieldError } from "./generated.ts";

export type ErrorCode = ErrorAnswer["code"];

interface CallIdentity {
  correlationId: string;
  idempotencyKey: string | null;
  attempts: number;
}

/** A call that did not succeed. */
export abstract class PeykError extends Error {
  /** Names the call in the server's log. */
  readonly correlationId: string;
  /** Repeating the call with this key sends nothing twice. Null for operations without one. */
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(message: string, { correlationId, idempotencyKey, attempts }: CallIdentity, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.correlationId = correlationId;
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
  }
}

/** The service refused the call, or something between answered in its place. */
export class PeykApiError extends PeykError {
  readonly status: number;
  /** `unexpected_answer` where the answer was none of the service's. */
  readonly code: ErrorCode | "unexpected_answer";
  /** Every wrong field, with `validation_failed`. */
  readonly fieldErrors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  constructor(status: number, answer: ErrorAnswer | null, retryAfterSeconds: number | null, identity: CallIdentity) {
    const fields = (answer?.errors ?? []).map(({ field, code }) => ` ${field}: ${code}.`).join("");
    const message = answer === null ? "An answer that is not the service's." : `${answer.message}${fields}`;
    super(`${status} ${answer?.code ?? "unexpected_answer"}: ${message}`, {
      ...identity,
      correlationId: answer?.correlationId ?? identity.correlationId,
    });
    this.status = status;
    this.code = answer?.code ?? "unexpected_answer";
    this.fieldErrors = answer?.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came: it is not known whether the service took the last attempt. `cause` says what happened. */
export class PeykConnectionError extends PeykError {
  constructor(identity: CallIdentity, cause: unknown) {
    super(`No answer after ${identity.attempts} attempts`, identity, { cause });
  }
}

/** A callback that the service did not sign, or that is too old. Answer it with 400 and do nothing. */
export class PeykSignatureError extends Error {
  override readonly name = "PeykSignatureError";
}

/** Null where the text is not an error of the service. */
export function errorAnswerIn(text: string): ErrorAnswer | null {
  try {
    const answer: ErrorAnswer | null = JSON.parse(text);
    return typeof answer?.code === "string" && typeof answer.message === "string" ? answer : null;
  } catch {
    return null;
  }
}
