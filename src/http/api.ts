/** The public listener's face: every operation under its path, and an answer in the contract's shape for everything else. */
import { Elysia } from "elysia";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { type AuthenticationSettings, authenticator, type KeyDirectory } from "./authentication.ts";
import { docsPages } from "./docs-page.ts";
import { healthPages, type Readiness } from "./health.ts";
import { inFlightRequests } from "./in-flight.ts";
import { openApiPage } from "./openapi.ts";
import type { PathParams } from "./operation.ts";
import { pipeline } from "./pipeline.ts";
import { type ProviderCalls, providerCallbacks } from "./provider-callbacks.ts";
import { type RequestObserver, requestHandler } from "./request-handler.ts";
import { operationsOf, type ResourceDeps } from "./resources.ts";
import { pathTable } from "./router.ts";

export interface PublicApiDeps extends ResourceDeps {
  directory: KeyDirectory & ResourceDeps["directory"];
  settings: { defaultRegion: string; http: AuthenticationSettings };
  clock: Clock;
  random: Random;
  log: Logger;
  readiness(): Promise<Readiness>;
  observer?: RequestObserver;
  /** What HTTP providers call; left out where there are none. */
  providerCalls?: ProviderCalls;
}

export type PublicApi = ReturnType<typeof publicApi>;

/** Those that Bun's own router knows by name. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface Served {
  method: string;
  path: string;
  serve(request: Request, params: PathParams): Promise<Response>;
}

export function publicApi(deps: PublicApiDeps) {
  const { directory, settings, clock, random } = deps;
  const app = new Elysia({ name: "public-api" });
  const rules = { defaultRegion: settings.defaultRegion, now: () => clock.now() };
  const door = inFlightRequests();
  const peerOf = (request: Request) => app.server?.requestIP(request)?.address ?? "unknown";
  const way = pipeline({ authenticator: authenticator(directory, settings.http, clock), clock, random, rules, peerOf });
  const requests = requestHandler({ ...deps, inFlight: door, pipeline: way });
  const calls = deps.providerCalls ?? { find: () => null };
  const callbacks = providerCallbacks({ calls, inFlight: door, clock, correlationIdOf: way.correlationIdOf });

  const operations = operationsOf(deps);
  const pages = [...healthPages(deps.readiness), openApiPage(operations), ...docsPages];
  const served: Served[] = [
    ...operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      serve: (request: Request, params: PathParams) => requests.operation(operation, request, params),
    })),
    ...pages.map((page) => ({
      method: "GET",
      path: page.path,
      serve: (request: Request) => requests.page(page, request),
    })),
  ];
  const withHead = served.flatMap((route) =>
    route.method === "GET" ? [route, { ...route, method: "HEAD" }] : [route],
  );
  const table = pathTable(withHead.map((route) => ({ ...route, served: route.serve })));

  /** Whatever no route took: a trailing slash, a wrong method, a provider's call, an unknown path. */
  function elsewhere(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    const place = table.find(pathname);
    if (place === null) return callbacks.serve(request, pathname) ?? requests.nothing(request, null);
    const serve = place.byMethod.get(request.method);
    return serve?.(request, place.params) ?? requests.nothing(request, [...place.byMethod.keys()].join(", "));
  }

  for (const { method, path, serve } of withHead) {
    app.route(method, path, ({ request, params }) => serve(request, params));
  }
  // A fixed path must not fall through to a named one: GET /v1/messages/batch is no message.
  for (const path of new Set(withHead.map((route) => route.path))) {
    const taken = withHead.filter((route) => route.path === path).map((route) => route.method);
    for (const method of methods.filter((other) => !taken.includes(other))) {
      app.route(method, path, ({ request }) => elsewhere(request));
    }
  }
  // A route of its own: what an error handler answers with 200, Elysia sends as 404.
  app.all("/*", ({ request }) => elsewhere(request));
  app.onError(({ code, request, error }) =>
    code === "NOT_FOUND" ? elsewhere(request) : requests.failed(request, error),
  );

  return {
    app,
    fetch: app.fetch,
    /** Every path that is served, with its method; HEAD, which follows GET, is not listed. */
    routes: served.map(({ method, path }) => ({ method, path })),
    inFlight: () => door.inFlight,
    /** Operations answer 503 until `startTaking`; resolves when those in flight are answered. */
    stopTaking: door.close,
    startTaking: door.open,
  };
}
