/** `/healthz` (the process answers) and `/readyz` (it can do its work), for every listener. */
import { Elysia } from "elysia";
import type { Readiness } from "./parts.ts";

export function healthRoutes(readiness: Readiness) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => ({ status: "alive" }))
    .get("/readyz", async ({ set }) => {
      const checks = await readiness();
      const ready = checks.every((check) => check.ok);
      set.status = ready ? 200 : 503;
      return { status: ready ? "ready" : "not_ready", checks };
    });
}
