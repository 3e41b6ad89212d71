/** Turns whatever a request threw into an error of the contract, and logs what the operator should know. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTimeout } from "./request-body.ts";
import { errorResponse, type ResponseContext } from "./responses.ts";

/** When a client may retry while the store cannot write or the service is stopping. */
export const retryAfterSeconds = 2;

export const stopping = () =>
  new ApiError("service_unavailable", { message: "The service is starting or stopping.", retryAfterSeconds });

/** On a full disk every request fails: one log line in this time, with their number, or the log would fill the rest. */
const logEveryMs = 5_000;

export function errorResponder(log: Logger, clock: Pick<Clock, "monotonic">, found?: (reason: unknown) => void) {
  let unlogged = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function logUnavailable(reason: StoreUnavailable, correlationId: string): void {
    unlogged += 1;
    if (clock.monotonic() - loggedAt < logEveryMs) return;
    log.error({ correlationId, reason: String(reason), requests: unlogged }, "The store refused requests");
    loggedAt = clock.monotonic();
    unlogged = 0;
  }

  function apiErrorOf(reason: unknown, correlationId: string): ApiError {
    if (reason instanceof ApiError) return reason;
    if (reason instanceof StoreUnavailable) {
      logUnavailable(reason, correlationId);
      return new ApiError("service_unavailable", { retryAfterSeconds });
    }
    found?.(reason);
    const stack = reason instanceof Error ? reason.stack : undefined;
    log.error({ correlationId, reason: String(reason), stack }, "A request failed by a defect");
    return new ApiError("internal_error");
  }

  return {
    /** A key was reused with another payload, and answered nevertheless. */
    logMismatch: ({ correlationId }: ResponseContext) =>
      log.warn({ correlationId }, "An Idempotency-Key came back with another payload"),

    responseTo(reason: unknown, context: ResponseContext): Response {
      const error = apiErrorOf(reason, context.correlationId);
      if (error.code === "idempotency_key_conflict") {
        log.warn({ correlationId: context.correlationId }, "An Idempotency-Key came back for something else");
      }
      // The answer for a key that was revoked meanwhile says no more than for any other invalid key.
      const told = error.code === "api_key_invalid" ? { ...context, rateLimit: null } : context;
      return errorResponse(error, told, { close: error instanceof BodyTimeout });
    },
  };
}
