/** Turns whatever was thrown on a request's way into an answer of the contract, and tells the operator what he should know. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTimeout } from "./request-body.ts";
import { errorResponse, type ResponseContext } from "./responses.ts";

/** When a client may try again while the store cannot write or the service is going down. */
export const retryAfterSeconds = 2;

export const notServing = () =>
  new ApiError("service_unavailable", { message: "The service is starting or going down.", retryAfterSeconds });

export type ErrorResponder = ReturnType<typeof errorResponder>;

/** A full disk refuses every request: told once in this time, with how many there were, or the log would fill what is left. */
const toldEveryMs = 5_000;

export function errorResponder(log: Logger, clock: Pick<Clock, "monotonic">) {
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  function tellUnavailable(reason: StoreUnavailable, correlationId: string): void {
    untold += 1;
    if (clock.monotonic() - toldAt < toldEveryMs) return;
    log.error({ correlationId, reason: String(reason), requests: untold }, "The store refused requests");
    toldAt = clock.monotonic();
    untold = 0;
  }

  function refusalOf(reason: unknown, correlationId: string): ApiError {
    if (reason instanceof ApiError) return reason;
    if (reason instanceof StoreUnavailable) {
      tellUnavailable(reason, correlationId);
      return new ApiError("service_unavailable", { retryAfterSeconds });
    }
    const stack = reason instanceof Error ? reason.stack : undefined;
    log.error({ correlationId, reason: String(reason), stack }, "A request failed by a defect");
    return new ApiError("internal_error");
  }

  const mismatched = ({ correlationId }: ResponseContext, event: string) => log.warn({ correlationId }, event);

  return {
    /** A key that came back with another payload and was answered all the same. */
    tellMismatch: (exchange: ResponseContext) =>
      mismatched(exchange, "An Idempotency-Key came back with another payload"),

    refuse(reason: unknown, exchange: ResponseContext): Response {
      const refusal = refusalOf(reason, exchange.correlationId);
      if (refusal.code === "idempotency_key_conflict") {
        mismatched(exchange, "An Idempotency-Key came back for something else");
      }
      return errorResponse(refusal, exchange, { close: refusal instanceof BodyTimeout });
    },
  };
}
