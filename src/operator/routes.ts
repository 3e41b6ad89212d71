/** Routes: add, look at, change, enable, try out, remove. */
import { Elysia, t } from "elysia";
import { OperatorError } from "../domain/operator-error.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { oneOf, routeFileSchema, routeNameSchema } from "./schemas.ts";
import { routeView } from "./views.ts";

export function routeRoutes({ directory, routes, running, messages, callbackUrls }: OperatorDeps) {
  const view = (route: Route) => routeView(route, running.state(route.id), callbackUrls(route.id));

  function present(name: string): Route {
    const route = directory.route(name);
    if (route === null) throw new OperatorError("route_not_found");
    return route;
  }

  return new Elysia({ prefix: "/routes" })
    .post("/", async ({ body: { name, kind, options = {} } }) => view(await routes.add(name, kind, options)), {
      body: t.Object({
        name: routeNameSchema,
        kind: oneOf(["simulator", "smpp", "http"]),
        options: t.Optional(routeFileSchema),
      }),
    })
    .get("/", () => directory.routes().map((route) => routeView(route, running.state(route.id))))
    .get("/:name", ({ params }) => view(present(params.name)))
    .put("/:name", async ({ params, body }) => view(await routes.update(params.name, body.options)), {
      body: t.Object({ options: routeFileSchema }),
    })
    .post("/:name/enable", async ({ params }) => view(await routes.setEnabled(params.name, true)))
    .post("/:name/disable", async ({ params }) => view(await routes.setEnabled(params.name, false)))
    .post("/:name/test", async ({ params }) => {
      const steps = await running.probe(present(params.name).id);
      if (steps === null) throw new OperatorError("invalid", "The route is disabled; enable it first.");
      return { ok: steps.every((step) => step.ok), steps };
    })
    .get("/:name/unmatched-receipts", ({ params }) =>
      messages
        .unmatchedReceipts(present(params.name).id)
        .map(({ receivedAt, ...receipt }) => ({ ...receipt, receivedAt: isoTime(receivedAt) })),
    )
    .delete("/:name", async ({ params }) => ({ ...view(await routes.remove(params.name)), removed: true }));
}
