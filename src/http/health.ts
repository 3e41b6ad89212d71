/** /healthz: the process is alive. /readyz: it can do its work. Both listeners serve them. */
import { apiErrors } from "../domain/api-error.ts";
import type { ReadinessChecks } from "../domain/readiness.ts";
import { retryAfterSeconds } from "./error-responses.ts";
import type { Page } from "./page.ts";

export function healthPages(readiness: () => Promise<ReadinessChecks>): Page[] {
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
