/** Serves one request from arrival to response: whatever is thrown becomes an error of the contract. */
import { ApiError, type ApiErrorCode, apiErrors } from "../domain/api-error.ts";
import type { RefusedCaller, RefusedRequests, RequestRefusal } from "../messaging/refusals/refused-requests.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { Authenticated } from "./authentication.ts";
import { errorResponder, stopping } from "./error-responses.ts";
import type { InFlightRequests } from "./in-flight.ts";
import type { Page } from "./keyless-page.ts";
import type { Operation, PathParams } from "./operation.ts";
import type { Pipeline } from "./pipeline.ts";
import { answerResponse, errorResponse, type ResponseContext, safetyHeaders } from "./responses.ts";

/** For metrics: called for every request that reached an operation. */
export interface RequestObserver {
  /** Called for every operation before the first request, with the status of its usual answer. */
  known(operation: { method: string; path: string }, status: number): void;
  answered(operation: { method: string; path: string }, status: number, durationMs: number): void;
}

export interface RequestHandlerDeps {
  pipeline: Pipeline;
  inFlight: InFlightRequests;
  clock: Clock;
  log: Logger;
  observer?: RequestObserver;
  refusedRequests: Pick<RefusedRequests, "record">;
  /** Called with read errors, some of which indicate a damaged database. */
  damage?: { found(reason: unknown): void } | undefined;
  /** Null without a cluster. */
  gate: AnswerGate | null;
}

export type RequestHandler = ReturnType<typeof requestHandler>;

export function requestHandler(deps: RequestHandlerDeps) {
  const { pipeline, inFlight, clock, log, observer, damage, gate, refusedRequests } = deps;
  const { responseTo, logMismatch } = errorResponder(log, clock, damage?.found);
  const contextOf = (request: Request): ResponseContext => ({
    correlationId: pipeline.correlationIdOf(request),
    rateLimit: null,
  });

  function report(operation: Operation, context: ResponseContext, status: number, startedMs: number): void {
    const { method, path } = operation;
    const durationMs = clock.monotonic() - startedMs;
    observer?.answered(operation, status, durationMs);
    // A log line per request cost a tenth of the throughput; accepted messages have their row.
    if (!log.isLevelEnabled("debug")) return;
    const { correlationId, trackingCode } = context;
    log.debug({ correlationId, trackingCode, method, path, status, durationMs }, "Answered");
  }

  return {
    async operation(operation: Operation, request: Request, params: PathParams): Promise<Response> {
      const context = contextOf(request);
      const start = inFlight.startToWaitFor();
      if (start !== null) await start;
      if (!inFlight.enter()) return errorResponse(stopping(), context, { close: true });
      const startedMs = clock.monotonic();
      let response: Response;
      try {
        const running = pipeline.run(operation, request, params, context);
        const answer = await (gate === null ? running : gate.within(running));
        if (answer.trackingCode !== undefined) context.trackingCode = answer.trackingCode;
        if (answer.payloadMismatch === true) logMismatch(context);
        response = answerResponse(answer, context);
      } catch (error) {
        response = responseTo(error, context);
        const caller = context.authenticated ?? pipeline.ownerOf(request);
        // A stranger's request counts nowhere.
        if (caller !== null) refusedRequests.record(refusedCaller(caller), refusalOf(operation, error));
      } finally {
        inFlight.leave();
      }
      report(operation, context, response.status, startedMs);
      return response;
    },

    /** Serves a path that needs no key. */
    async page(page: Page, request: Request): Promise<Response> {
      const context = contextOf(request);
      try {
        const response = await page.respond(context.correlationId);
        response.headers.set("X-Correlation-Id", context.correlationId);
        for (const [name, value] of Object.entries(safetyHeaders)) response.headers.set(name, value);
        return response;
      } catch (error) {
        return responseTo(error, context);
      }
    },

    /** The service did not finish starting. */
    notStarted: (request: Request) => errorResponse(stopping(), contextOf(request), { close: true }),

    notFound: (request: Request) => errorResponse(new ApiError("not_found"), contextOf(request)),

    /** `allow` lists the methods that the path supports. */
    methodNotAllowed: (request: Request, allow: string) =>
      errorResponse(new ApiError("method_not_allowed"), contextOf(request), { allow }),

    /** An error thrown by the framework itself. */
    failed: (request: Request, error: unknown) => responseTo(error, contextOf(request)),
  };
}

function codeOf(error: unknown): ApiErrorCode {
  if (error instanceof ApiError) return error.code;
  return error instanceof StoreUnavailable ? "service_unavailable" : "internal_error";
}

const refusedCaller = ({ account, key }: Authenticated): RefusedCaller => ({
  accountId: account.id,
  way: "api",
  id: key.id,
});

function refusalOf({ method, path, fixedName }: Operation, error: unknown): RequestRefusal {
  const code = codeOf(error);
  const { problems: [problem] = [], sender = "" } = error instanceof ApiError ? error : {};
  const { status } = apiErrors[code];
  const request = fixedName ?? `${method} ${path}`;
  return { code: problem?.code ?? code, status, request, field: problem?.field ?? "", sender };
}
