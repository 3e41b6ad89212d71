/** Serves one request from its arrival to its response: whatever is thrown on the way becomes an answer of the contract. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { errorResponder, notServing } from "./error-responses.ts";
import type { InFlightRequests } from "./in-flight.ts";
import type { Operation, PathParams } from "./operation.ts";
import type { Page } from "./page.ts";
import type { Pipeline } from "./pipeline.ts";
import { answerResponse, errorResponse, type ResponseContext } from "./responses.ts";

/** Told of every request that found its operation, for metrics. */
export interface RequestObserver {
  answered(operation: { method: string; path: string }, status: number, durationMs: number): void;
}

export interface RequestHandlerDeps {
  pipeline: Pipeline;
  inFlight: InFlightRequests;
  clock: Clock;
  log: Logger;
  observer?: RequestObserver;
}

export type RequestHandler = ReturnType<typeof requestHandler>;

export function requestHandler({ pipeline, inFlight, clock, log, observer }: RequestHandlerDeps) {
  const { refuse, tellMismatch } = errorResponder(log, clock);

  function told(operation: Operation, exchange: ResponseContext, status: number, startedMs: number): void {
    const { method, path } = operation;
    const durationMs = clock.monotonic() - startedMs;
    observer?.answered(operation, status, durationMs);
    // A line for each request cost a tenth of the throughput; accepted messages have their row.
    if (!log.isLevelEnabled("debug")) return;
    const { correlationId, trackingCode } = exchange;
    log.debug({ correlationId, trackingCode, method, path, status, durationMs }, "Answered");
  }

  return {
    async operation(operation: Operation, request: Request, params: PathParams): Promise<Response> {
      const exchange: ResponseContext = { correlationId: pipeline.correlationIdOf(request), standing: null };
      if (!inFlight.enter()) return errorResponse(notServing(), exchange, { close: true });
      const startedMs = clock.monotonic();
      let response: Response;
      try {
        const answer = await pipeline.run(operation, request, params, exchange);
        if (answer.trackingCode !== undefined) exchange.trackingCode = answer.trackingCode;
        if (answer.payloadMismatch === true) tellMismatch(exchange);
        response = answerResponse(answer, exchange);
      } catch (reason) {
        response = refuse(reason, exchange);
      } finally {
        inFlight.leave();
      }
      told(operation, exchange, response.status, startedMs);
      return response;
    },

    /** What needs no key. */
    async page(page: Page, request: Request): Promise<Response> {
      const exchange: ResponseContext = { correlationId: pipeline.correlationIdOf(request), standing: null };
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
      const exchange: ResponseContext = { correlationId: pipeline.correlationIdOf(request), standing: null };
      if (allow === null) return errorResponse(new ApiError("not_found"), exchange);
      return errorResponse(new ApiError("method_not_allowed"), exchange, { allow });
    },

    /** What the framework itself threw. */
    failed(request: Request, reason: unknown): Response {
      return refuse(reason, { correlationId: pipeline.correlationIdOf(request), standing: null });
    },
  };
}
