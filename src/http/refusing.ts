/** Turns whatever was thrown on a request's way into an answer of the contract, and tells the operator what he should know. */
import { Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTooLate } from "./body.ts";
import { type Exchange, refusalResponse } from "./respond.ts";

/** When a client may try again while the store cannot write or the service is going down. */
export const retryAfterSeconds = 2;

export const notServing = () =>
  new Refusal("service_unavailable", { message: "The service is starting or going down.", retryAfterSeconds });

export type Refusing = ReturnType<typeof refusing>;

/** A full disk refuses every request: told once in this time, with how many there were, or the log would fill what is left. */
const toldEveryMs = 5_000;

export function refusing(log: Logger, clock: Pick<Clock, "monotonic">) {
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  function tellUnavailable(reason: StoreUnavailable, correlationId: string): void {
    untold += 1;
    if (clock.monotonic() - toldAt < toldEveryMs) return;
    log.error({ correlationId, reason: String(reason), requests: untold }, "The store refused requests");
    toldAt = clock.monotonic();
    untold = 0;
  }

  function refusalOf(reason: unknown, correlationId: string): Refusal {
    if (reason instanceof Refusal) return reason;
    if (reason instanceof StoreUnavailable) {
      tellUnavailable(reason, correlationId);
      return new Refusal("service_unavailable", { retryAfterSeconds });
    }
    const stack = reason instanceof Error ? reason.stack : undefined;
    log.error({ correlationId, reason: String(reason), stack }, "A request failed by a defect");
    return new Refusal("internal_error");
  }

  const mismatched = ({ correlationId }: Exchange, event: string) => log.warn({ correlationId }, event);

  return {
    /** A key that came back with another payload and was answered all the same. */
    tellMismatch: (exchange: Exchange) => mismatched(exchange, "An Idempotency-Key came back with another payload"),

    refuse(reason: unknown, exchange: Exchange): Response {
      const refusal = refusalOf(reason, exchange.correlationId);
      if (refusal.code === "idempotency_key_conflict") {
        mismatched(exchange, "An Idempotency-Key came back for something else");
      }
      return refusalResponse(refusal, exchange, { close: refusal instanceof BodyTooLate });
    },
  };
}
