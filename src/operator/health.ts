/** `/healthz` (the process responds) and `/readyz` (it can do its work) on the socket and the console listener. */
import { Elysia } from "elysia";
import type { ReadinessChecks } from "../domain/readiness.ts";
import type { OperatorDeps } from "./deps.ts";

const sentenceByCheck: Readonly<Record<keyof ReadinessChecks, string>> = {
  store: "The store cannot write, or is damaged. Is the disk full, or gone?",
  schedulers: "The schedulers do not run: the server is starting or stopping.",
  routes: "No route is up that an active sender uses. See: peyk route list",
};

/** One sentence per failed check; empty when the server is ready. */
export function missingFor(checks: ReadinessChecks): string[] {
  const sentences: [good: boolean, sentence: string][] = [
    [checks.store, sentenceByCheck.store],
    [checks.schedulers, sentenceByCheck.schedulers],
    [checks.routes, sentenceByCheck.routes],
  ];
  return sentences.filter(([good]) => !good).map(([, sentence]) => sentence);
}

export function healthRoutes({ readiness }: Pick<OperatorDeps, "readiness">) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => ({ status: "alive" }))
    .get("/readyz", async ({ set }) => {
      const checks = await readiness();
      const missing = missingFor(checks);
      if (missing.length === 0) return { status: "ready", checks };
      set.status = 503;
      return { code: "not_ready", message: missing.join(" "), checks };
    });
}
