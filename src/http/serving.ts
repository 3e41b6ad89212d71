/** Serves one request from its arrival to its response: whatever is thrown on the way becomes an answer of the contract. */
import { Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { BodyTooLate } from "./body.ts";
import type { Gate } from "./gate.ts";
import type { Operation, PathParams } from "./operation.ts";
import type { Page } from "./page.ts";
import type { Pipeline } from "./pipeline.ts";
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
      mismatched(exchange, "An Idempotency-Key came back for something else");
    }
    return refusalResponse(refusal, exchange, { close: refusal instanceof BodyTooLate });
  }

  const mismatched = ({ correlationId }: Exchange, event: string) => log.warn({ correlationId }, event);

  const stopping = () =>
    new Refusal("service_unavailable", { message: "The service is starting or going down.", retryAfterSeconds });

  function told(operation: Operation, exchange: Exchange, response: Response, startedMs: number): void {
    const { method, path } = operation;
    const durationMs = clock.monotonic() - startedMs;
    observer?.answered(operation, response.status, durationMs);
    // A line for each request cost a tenth of the throughput; accepted messages have their row.
    if (!log.isLevelEnabled("debug")) return;
    const location = response.headers.get("location");
    const { correlationId } = exchange;
    log.debug({ correlationId, method, path, status: response.status, durationMs, location }, "Answered");
  }

  return {
    async operation(operation: Operation, request: Request, params: PathParams): Promise<Response> {
      const exchange: Exchange = { correlationId: pipeline.correlationIdOf(request), standing: null };
      if (!gate.enter()) return refusalResponse(stopping(), exchange, { close: true });
      const startedMs = clock.monotonic();
      let response: Response;
      try {
        const answer = await pipeline.run(operation, request, params, exchange);
        if (answer.payloadMismatch === true) mismatched(exchange, "An Idempotency-Key came back with another payload");
        response = answerResponse(answer, exchange);
      } catch (reason) {
        response = refuse(reason, exchange);
      }
      gate.leave();
      told(operation, exchange, response, startedMs);
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
