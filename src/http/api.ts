/** The public API: every operation and page under its path, and the contract's errors for everything else. */

import type { BunRequest } from "bun";
import { Elysia } from "elysia";
import { apiErrors } from "../domain/api-error.ts";
import type { RecipientNumbers } from "../domain/phone-number.ts";
import type { ReadinessChecks } from "../domain/readiness.ts";
import type { Directory } from "../messaging/directory/directory.ts";
import type { SendingCountries } from "../messaging/directory/sending-countries.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { urlOf } from "../platform/request-url.ts";
import type { AnswerGate } from "../store/replication.ts";
import { type AuthenticationSettings, authenticator, type KeyDirectory } from "./authentication.ts";
import { docsPages } from "./docs-page.ts";
import { retryAfterSeconds } from "./error-responses.ts";
import type { FieldRules } from "./fields.ts";
import { inFlightRequests } from "./in-flight.ts";
import type { Page } from "./keyless-page.ts";
import { LargeBodyParser } from "./large-body-parser.ts";
import type { StartLargeBodyThread } from "./large-body-task.ts";
import { openApiPage } from "./openapi.ts";
import type { Method, Operation, PathParams } from "./operation.ts";
import { pipeline } from "./pipeline.ts";
import { type ProviderCalls, providerCallbacks } from "./provider-callbacks.ts";
import {
  type RequestHandler,
  type RequestHandlerDeps,
  type RequestObserver,
  requestHandler,
} from "./request-handler.ts";
import { operationsOf, type ResourceDeps } from "./resources.ts";

export interface PublicApiDeps extends ResourceDeps {
  directory: KeyDirectory & ResourceDeps["directory"] & Pick<Directory, "sender">;
  settings: ResourceDeps["settings"] & {
    defaultRegion: string;
    messages: RecipientNumbers;
    http: Omit<AuthenticationSettings, "takesTestKeys">;
  };
  countries: Pick<SendingCountries, "of">;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  random: Random;
  log: Logger;
  readiness(): Promise<ReadinessChecks>;
  observer?: RequestObserver;
  refusedRequests: RequestHandlerDeps["refusedRequests"];
  damage?: RequestHandlerDeps["damage"];
  /** Callbacks from HTTP providers; omitted if there are none. */
  providerCalls?: ProviderCalls;
  /** Omitted if no other node can take over. */
  gate?: AnswerGate | null;
  startLargeBodyThread?: StartLargeBodyThread;
}

export type PublicApi = ReturnType<typeof publicApi>;

export function publicApi(deps: PublicApiDeps) {
  const { directory, settings, clock, bookingClock, random, gate = null } = deps;
  const app = new Elysia({ name: "public-api" });
  const inFlight = inFlightRequests(clock);
  const keys = authenticator(directory, { ...settings.http, takesTestKeys: settings.sandbox.enabled }, clock);
  const peerOf = (request: Request) => app.server?.requestIP(request)?.address ?? "unknown";
  const checks = pipeline({
    authenticator: keys,
    clock,
    bookingClock,
    random,
    rulesOf: fieldRules(deps),
    peerOf,
    gate,
    largeBodies: new LargeBodyParser(clock, deps.startLargeBodyThread),
  });
  const requests = requestHandler({ ...deps, inFlight, pipeline: checks, gate });
  const calls = deps.providerCalls ?? { find: () => null };
  const callbacks = providerCallbacks({
    calls,
    inFlight,
    clock,
    correlationIdOf: checks.correlationIdOf,
    addressOf: (request) => keys.addressOf(request, peerOf),
  });

  const operations = operationsOf(deps);
  for (const operation of operations) deps.observer?.known(operation, usualStatus(operation));
  const reference = openApiPage(operations, settings.sandbox.enabled);
  const pages = [...healthPages(deps.readiness), reference, ...docsPages(reference)];
  const endpoints = [
    ...operations.map((operation) => operationEndpoint(operation, requests)),
    ...pages.map((page) => pageEndpoint(page, requests)),
  ];
  app.onError(({ request, error }) => requests.failed(request, error));
  const otherPath = (request: Request) =>
    callbacks.serve(request, urlOf(request).pathname) ?? requests.notFound(request);
  registerEndpoints(app, endpoints, {
    methodNotAllowed: requests.methodNotAllowed,
    otherPath: (request) => (inFlight.isStarting ? afterStart(request, otherPath) : otherPath(request)),
  });

  /** The paths that carriers call are known only when start-up finishes. */
  async function afterStart(request: Request, answer: typeof otherPath): Promise<Response> {
    await inFlight.startToWaitFor();
    return inFlight.isStarting ? requests.notStarted(request) : answer(request);
  }

  return {
    app,
    fetch: app.fetch,
    /** Every path and its method. HEAD follows GET and is not listed. */
    routes: endpoints.map(({ method, path }) => ({ method, path })),
    inFlight: () => inFlight.inFlight,
    waiting: () => inFlight.waiting,
    /** Operations wait until `startTaking`, for at most two seconds. */
    beginStart: inFlight.begin,
    /** Operations answer 503 from now on; resolves when those in flight are answered. */
    stopTaking: async (): Promise<void> => {
      await inFlight.close();
      checks.endThreads();
    },
    startTaking: inFlight.open,
  };
}

function fieldRules({ settings: { defaultRegion, messages: numbers }, countries, directory }: PublicApiDeps) {
  return (accountId: number, at: number): FieldRules => ({
    defaultRegion,
    numbers,
    countries: countries.of(accountId),
    // A body names its sender, or its operation finds one.
    defaultSender: null,
    isSender: (spelling) => directory.sender(accountId, spelling)?.active === true,
    at,
  });
}

/** 202, not the 200 of a repeat. */
const usualStatus = ({ responses }: Operation) => Math.max(...Object.keys(responses).map(Number));

function operationEndpoint(operation: Operation, requests: RequestHandler): Endpoint {
  const { method, path } = operation;
  return { method, path, serve: (request, params) => requests.operation(operation, request, params) };
}

function pageEndpoint(page: Page, requests: RequestHandler): Endpoint {
  return { method: "GET", path: page.path, serve: (request) => requests.page(page, request) };
}

function healthPages(readiness: () => Promise<ReadinessChecks>): Page[] {
  return [
    { path: "/healthz", respond: () => Response.json({ status: "alive" }) },
    {
      path: "/readyz",
      async respond(correlationId) {
        const checks = await readiness();
        // Routes do not count: a load balancer must not cut off an API that accepts messages, which wait for their
        // routes.
        const { routes: _, ...deciding } = checks;
        if (Object.values(deciding).every(Boolean)) return Response.json({ status: "ready", checks });
        const code = "service_unavailable";
        const missing = Object.entries(deciding).flatMap(([name, good]) => (good ? [] : name));
        const message = `Not ready: ${missing.join(", ")}.`;
        const headers = { "Retry-After": `${retryAfterSeconds}` };
        return Response.json({ code, message, correlationId, checks }, { status: apiErrors[code].status, headers });
      },
    },
  ];
}

interface Endpoint {
  method: Method;
  /** `/v1/messages/:trackingCode`; a trailing slash is always optional in requests. */
  path: string;
  serve(request: Request, params: PathParams): Promise<Response>;
}

interface FallbackResponses {
  methodNotAllowed(request: Request, allow: string): Response;
  /** Serves every path that is not an endpoint. */
  otherPath(request: Request): Response | Promise<Response>;
}

type NativeRoutes = Record<string, Partial<Record<Method, (request: BunRequest) => Promise<Response>>>>;

/** Methods that Bun's own router knows by name; "ALL" covers the others. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "ALL"];

/**
 * Registers every method of a path, including unsupported ones: otherwise Elysia would try the next matching path, and
 * find GET /v1/messages/:trackingCode for GET /v1/messages/batch.
 */
function registerEndpoints(app: Elysia, endpoints: readonly Endpoint[], fallback: FallbackResponses): void {
  for (const [path, atPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allow = atPath.flatMap(({ method }) => (method === "GET" ? [method, "HEAD"] : [method])).join(", ");
    for (const method of methods) {
      const endpoint = atPath.find((one) => one.method === (method === "HEAD" ? "GET" : method));
      if (endpoint === undefined) app.route(method, path, ({ request }) => fallback.methodNotAllowed(request, allow));
      else app.route(method, path, ({ request, params }) => endpoint.serve(request, params));
    }
  }
  app.config.serve = { ...app.config.serve, routes: nativeRoutes(endpoints) };
  app.all("/*", ({ request }) => fallback.otherPath(request));
}

/**
 * Requests go straight from Bun's router to their endpoint where possible: Elysia's handler in between cost 3 % of an
 * accept.
 */
function nativeRoutes(endpoints: readonly Endpoint[]): NativeRoutes {
  const routes: NativeRoutes = {};
  for (const { method, path, serve } of endpoints) {
    routes[path] = { ...routes[path], [method]: (request: BunRequest) => serve(request, request.params) };
  }
  return routes;
}
