/** The routes of the public listener, each declared once: HEAD, 405 with `Allow` and trailing slashes follow from them. */
import type { BunRequest } from "bun";
import type { Elysia } from "elysia";
import type { Method, PathParams } from "./operation.ts";

export interface Endpoint {
  method: Method;
  /** `/v1/messages/:trackingCode`; a slash at its end is optional in requests, whether it is written here or not. */
  path: string;
  serve(request: Request, params: PathParams): Promise<Response>;
}

export interface FallbackResponses {
  methodNotAllowed(request: Request, allow: string): Response;
  /** Any path that is no endpoint's. */
  otherPath(request: Request): Response | Promise<Response>;
}

type NativeRoutes = Record<string, Partial<Record<Method, (request: BunRequest) => Promise<Response>>>>;

/** Bun's own router serves those with a name; "ALL" is for any other method. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "ALL"];

/**
 * Every method of a path is registered, also those that it does not take: Elysia would look for a wrong method at the next path
 * that matches, and find GET /v1/messages/:trackingCode for GET /v1/messages/batch.
 */
export function registerEndpoints(app: Elysia, endpoints: readonly Endpoint[], fallback: FallbackResponses): void {
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

/** What is served as it was asked for goes from Bun's router to its endpoint: Elysia's handler between them cost 3 % of an accept. */
function nativeRoutes(endpoints: readonly Endpoint[]): NativeRoutes {
  const routes: NativeRoutes = {};
  for (const { method, path, serve } of endpoints) {
    routes[path] = { ...routes[path], [method]: (request: BunRequest) => serve(request, request.params) };
  }
  return routes;
}
