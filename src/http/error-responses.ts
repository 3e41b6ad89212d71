/** Turns what a request threw into an error of the contract, and logs what the operator should know. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTimeout } from "./request-body.ts";
import { errorResponse, type ResponseContext } from "./responses.ts";

/** When a client may try again while the store cannot write or the service is stopping. */
export const retryAfterSeconds = 2;

export const stopping = () =>
  new ApiError("service_unavailable", { message: "The service is starting or stopping.", retryAfterSeconds });

export type ErrorResponder = ReturnType<typeof errorResponder>;

/** A full disk refuses every request: one line in this time, with their number, or the log would fill what is left. */
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
    /** A key that came back with another payload and was answered all the same. */
    logMismatch: ({ correlationId }: ResponseContext) =>
      log.warn({ correlationId }, "An Idempotency-Key came back with another payload"),

    responseTo(reason: unknown, context: ResponseContext): Response {
      const error = apiErrorOf(reason, context.correlationId);
      if (error.code === "idempotency_key_conflict") {
        log.warn({ correlationId: context.correlationId }, "An Idempotency-Key came back for something else");
      }
      // Of a key that was revoked meanwhile nothing is told, as of any that is not good.
      const told = error.code === "api_key_invalid" ? { ...context, rateLimit: null } : context;
      return errorResponse(error, told, { close: error instanceof BodyTimeout });
    },
  };
}
