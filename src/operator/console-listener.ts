/** The console listener: health and metrics for monitoring, never the public API. */
import { Elysia } from "elysia";
import type { ReadinessChecks } from "../domain/readiness.ts";
import { listenFailure } from "../platform/listen-error.ts";
import { healthRoutes } from "./health.ts";

export interface ConsoleDeps {
  readiness(): Promise<ReadinessChecks>;
  metrics: { contentType: string; metrics(): Promise<string> };
}

export interface ConsoleListener {
  /** `http://127.0.0.1:8081`, with the real port where 0 was configured. */
  url: string;
  stop(): Promise<void>;
}

const noSniff = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

export function consoleApp({ readiness, metrics }: ConsoleDeps) {
  return new Elysia({ name: "console-listener" })
    .use(healthRoutes({ readiness }))
    .get(
      "/metrics",
      async () =>
        new Response(await metrics.metrics(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
    );
}

/** The console's address cannot be bound; the message says why. */
export class ConsoleCannotListen extends Error {
  override readonly name = "ConsoleCannotListen";
}

/** @throws ConsoleCannotListen */
export function listenForConsole(
  app: { fetch(request: Request): Response | Promise<Response> },
  { hostname, port }: { hostname: string; port: number },
): ConsoleListener {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  try {
    // A second process must fail here, not share the port.
    const server = Bun.serve({
      hostname,
      port,
      reusePort: false,
      development: false,
      fetch: (request) => app.fetch(request),
    });
    return { url: `http://${host}:${server.port}`, stop: () => server.stop(true) };
  } catch (reason) {
    const sentence = listenFailure(reason, `${host}:${port}`, "--console-listen");
    if (sentence === null) throw reason;
    throw new ConsoleCannotListen(sentence, { cause: reason });
  }
}
