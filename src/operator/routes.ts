/** Routes: add, list, show, update, enable, drain, test, remove. */
import { Elysia, t } from "elysia";
import { OperatorError } from "../domain/operator-error.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { isoTime } from "../platform/clock.ts";
import { carrierCatalogue } from "../providers/http/catalogue.ts";
import { routeAnswer } from "./answers.ts";
import type { OperatorDeps, RunningRoutes } from "./deps.ts";
import { drainAnswer } from "./route-drain.ts";
import { routeFigures } from "./route-figures.ts";
import { routeTestSchema, testSubmission } from "./route-test.ts";
import { routeTraceAnswer, routeTraceSchema } from "./route-trace.ts";
import { oneOf, routeFileSchema, routeNameSchema } from "./schemas.ts";

/** `ok` is true when no step failed. */
export interface RouteTestAnswer {
  ok: boolean;
  steps: NonNullable<Awaited<ReturnType<RunningRoutes["probe"]>>>;
}

/** The carrier's own word for the state, such as `DELIVRD`: a receipt's detail begins with it, behind its field's name. */
const carrierStatus = (detail: string) => /^[^:]*:(\S*)/.exec(detail)?.[1] ?? "";

export function routeRoutes(deps: OperatorDeps) {
  const { directory, routes, running, messages, callbackUrls } = deps;
  const answerFor = (route: Route) => routeAnswer(route, running.state(route.id), callbackUrls(route.id));

  function existing(name: string): Route {
    const route = directory.route(name);
    if (route === null) throw new OperatorError("route_not_found");
    return route;
  }

  return (
    new Elysia({ prefix: "/routes" })
      // No route has this name: one begins with a letter or a digit.
      .get("/-presets", () => carrierCatalogue())
      .post("/", async ({ body: { name, kind, options = {} } }) => answerFor(await routes.add(name, kind, options)), {
        body: t.Object({
          name: routeNameSchema,
          kind: oneOf(["simulator", "smpp", "http"]),
          options: t.Optional(routeFileSchema),
        }),
      })
      .get("/", () => directory.routes().map((route) => routeAnswer(route, running.state(route.id))))
      .get("/:name", async ({ params, request }) => {
        const route = existing(params.name);
        return { ...answerFor(route), figures: await routeFigures(deps, route, request.signal) };
      })
      .put("/:name", async ({ params, body }) => answerFor(await routes.update(params.name, body.options)), {
        body: t.Object({ options: routeFileSchema }),
      })
      .post("/:name/enable", async ({ params }) => answerFor(await routes.setEnabled(params.name, true)))
      .post("/:name/disable", async ({ params }) => answerFor(await routes.setEnabled(params.name, false)))
      .post("/:name/drain", async ({ params }) => answerFor(await routes.setDraining(params.name, true)))
      .post("/:name/undrain", async ({ params }) => answerFor(await routes.setDraining(params.name, false)))
      .get("/:name/drain", ({ params, request }) => drainAnswer(deps, existing(params.name), request.signal))
      .post(
        "/:name/test",
        async ({ params, body }): Promise<RouteTestAnswer> => {
          const route = existing(params.name);
          const steps = await running.probe(route.id, testSubmission(route, body ?? {}, deps));
          if (steps === null) throw new OperatorError("invalid", "The route is disabled; enable it first.");
          return { ok: steps.every((step) => step.ok !== false), steps };
        },
        { body: routeTestSchema },
      )
      .post(
        "/:name/trace",
        ({ params, body }) => {
          const route = existing(params.name);
          if (route.kind === "simulator") throw new OperatorError("invalid", "The simulator speaks to nobody.");
          return routeTraceAnswer(route, body ?? {}, deps);
        },
        { body: routeTraceSchema },
      )
      .get("/:name/unmatched-receipts", ({ params }) =>
        messages.unmatchedReceipts(existing(params.name).id).map(({ receivedAt, ...receipt }) => ({
          ...receipt,
          status: carrierStatus(receipt.detail),
          receivedAt: isoTime(receivedAt),
        })),
      )
      .delete("/:name", async ({ params }) => ({ ...answerFor(await routes.remove(params.name)), removed: true }))
  );
}
