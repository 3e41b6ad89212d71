/**
 * The routes of the public listener, each declared once: HEAD, 405 with `Allow` and trailing slashes follow from them.
 */
import type { BunRequest } from "bun";
import type { Elysia } from "elysia";
import type { Method, PathParams } from "./operation.ts";

export interface Endpoint {
  method: Method;
  /** `/v1/messages/:trackingCode`; a trailing slash is always optional in requests. */
  path: string;
  serve(request: Request, params: PathParams): Promise<Response>;
}

export interface FallbackResponses {
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
