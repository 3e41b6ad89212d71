/** Serves one request from its arrival to its response: whatever is thrown on the way becomes an answer of the contract. */
import { Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Gate } from "./gate.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./page.ts";
import type { Arrived, Pipeline } from "./pipeline.ts";
import { answerResponse, type Exchange, refusalResponse } from "./respond.ts";

/** Told of every request that found its operation, for metrics. */
export interface RequestObserver {
  answered(operation: { method: string; path: string }, status: number, durationMs: number): void;
}

export interface ServingParts {
  pipeline: Pipeline;
  gate: Gate;
  clock: Clock;
  log: Logger;
  observer?: RequestObserver;
}

/** When a client may try again while the store cannot write or the service is going down. */
const retryAfterSeconds = 2;

export type Serving = ReturnType<typeof serving>;

export function serving({ pipeline, gate, clock, log, observer }: ServingParts) {
  function refusalOf(reason: unknown, correlationId: string): Refusal {
    if (reason instanceof Refusal) return reason;
    const unavailable = reason instanceof StoreUnavailable;
    const event = unavailable ? "The store refused a request" : "A request failed by a defect";
    log.error(
      { correlationId, reason: String(reason), stack: reason instanceof Error ? reason.stack : undefined },
      event,
    );
    return unavailable ? new Refusal("service_unavailable", { retryAfterSeconds }) : new Refusal("internal_error");
  }

  function refuse(reason: unknown, exchange: Exchange): Response {
    const refusal = refusalOf(reason, exchange.correlationId);
    if (refusal.code === "idempotency_key_conflict") {
      log.warn({ correlationId: exchange.correlationId }, "An Idempotency-Key came back for something else");
    }
    return refusalResponse(refusal, exchange);
  }

  const stopping = () =>
    new Refusal("service_unavailable", { message: "The service is going down.", retryAfterSeconds });

  async function answer(operation: Operation, arrived: Arrived, exchange: Exchange): Promise<Response> {
    try {
      const answered = await pipeline.run(operation, arrived, exchange);
      if (answered.payloadMismatch === true) {
        log.warn({ correlationId: exchange.correlationId }, "An Idempotency-Key came back with another payload");
      }
      return answerResponse(answered, exchange);
    } catch (reason) {
      return refuse(reason, exchange);
    }
  }

  return {
    async operation(operation: Operation, arrived: Arrived): Promise<Response> {
      const exchange: Exchange = { correlationId: pipeline.correlationIdOf(arrived.request), standing: null };
      if (!gate.enter()) return refusalResponse(stopping(), exchange, { close: true });
      const startedMs = clock.monotonic();
      const response = await answer(operation, arrived, exchange);
      gate.leave();
      const { method, path } = operation;
      const durationMs = clock.monotonic() - startedMs;
      observer?.answered(operation, response.status, durationMs);
      // A line for each request cost a tenth of the throughput; accepted messages have their row.
      if (log.isLevelEnabled("debug")) {
        const { correlationId } = exchange;
        const location = response.headers.get("location");
        log.debug({ correlationId, method, path, status: response.status, durationMs, location }, "Answered");
      }
      return response;
    },

    /** What needs no key. */
    async page(page: Page, request: Request): Promise<Response> {
      const exchange: Exchange = { correlationId: pipeline.correlationIdOf(request), standing: null };
      try {
        const response = await page.respond(exchange.correlationId);
        response.headers.set("X-Correlation-Id", exchange.correlationId);
        return response;
      } catch (reason) {
        return refuse(reason, exchange);
      }
    },

    /** A path that nobody knows, or a method that the path does not take (`allow`). */
    nothing(request: Request, allow: string | null): Response {
      const exchange: Exchange = { correlationId: pipeline.correlationIdOf(request), standing: null };
      if (allow === null) return refusalResponse(new Refusal("not_found"), exchange);
      return refusalResponse(new Refusal("method_not_allowed"), exchange, { allow });
    },

    /** What the framework itself threw. */
    failed(request: Request, reason: unknown): Response {
      return refuse(reason, { correlationId: pipeline.correlationIdOf(request), standing: null });
    },
  };
}
