/** Turns whatever was thrown on a request's way into an answer of the contract, and tells the operator what he should know. */
import { Refusal } from "../domain/refusal.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTooLate } from "./body.ts";
import { type Exchange, refusalResponse } from "./respond.ts";

/** When a client may try again while the store cannot write or the service is going down. */
const retryAfterSeconds = 2;

export const notServing = () =>
  new Refusal("service_unavailable", { message: "The service is starting or going down.", retryAfterSeconds });

export type Refusing = ReturnType<typeof refusing>;

export function refusing(log: Logger) {
  function refusalOf(reason: unknown, correlationId: string): Refusal {
    if (reason instanceof Refusal) return reason;
    const unavailable = reason instanceof StoreUnavailable;
    const event = unavailable ? "The store refused a request" : "A request failed by a defect";
    const stack = reason instanceof Error ? reason.stack : undefined;
    log.error({ correlationId, reason: String(reason), stack }, event);
    return unavailable ? new Refusal("service_unavailable", { retryAfterSeconds }) : new Refusal("internal_error");
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
