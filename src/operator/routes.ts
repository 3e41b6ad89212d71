/** Routes: add, list, show, update, enable, drain, test, remove. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { conditionCodes, conditionTraits } from "../conditions/conditions.ts";
import { isChannel } from "../domain/channel.ts";
import { messageClasses, messageLimits } from "../domain/message.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { isCleanText, measureText } from "../domain/text.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { isoTime } from "../platform/clock.ts";
import { carrierCatalogue } from "../providers/http/catalogue.ts";
import type { Submission } from "../providers/provider.ts";
import { routeAnswer } from "./answers.ts";
import type { OperatorDeps, RunningRoutes } from "./deps.ts";
import { addressSchema, shortNameSchema } from "./field-schema.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";
import { drainAnswer, routeFigures } from "./route-figures.ts";
import { routeTraceAnswer, routeTraceFields } from "./route-trace.ts";
import { oneOf, routeFileSchema, senderSchema } from "./schemas.ts";

/** Characters whose codes differ, or do not exist, in alphabets other than GSM's. */
const defaultText = "Peyk test: @ £ $ é {€}";
/** For a channel. */
const testCode = "123456";
const validityMs = 3_600_000;
/** Silences of them end with their route: another one may get its name. */
const routeConditions = conditionCodes.filter((code) => conditionTraits(code).isOfRoute);

const routeTestFields = {
  /** Without it no text is sent. */
  to: t.Optional(addressSchema),
  from: t.Optional(senderSchema),
  text: t.Optional(t.String({ minLength: 1, maxLength: messageLimits.textMax })),
};

/** Null if no text is to be sent. @throws OperatorError */
function testSubmission(
  route: Route,
  { to, from, text = defaultText }: Static<TObject<typeof routeTestFields>>,
  { directory, routingPlans, facts, clock }: Pick<OperatorDeps, "directory" | "routingPlans" | "facts" | "clock">,
): Submission | null {
  if (to === undefined) return null;
  const recipient = parseMobileNumber(to, facts.defaultRegion);
  if (recipient === null) throw invalidRequest([problemOf("to", "mobile_number", {})]);
  if (!isCleanText(text)) throw invalidRequest([problemOf("text", "control_characters", {})]);
  const using = directory.activeSenders().find(({ id }) => routingPlans.plans.routesUsedBy(id).includes(route.id));
  const code = isChannel(parseFile(route.options)) ? { code: testCode } : {};
  const sender = from ?? using?.sender ?? ("code" in code ? "" : undefined);
  if (sender === undefined) throw invalidRequest([problemOf("from", "no_sender_of_route", {})]);
  const now = clock.now();
  const { encoding, partCount } = measureText(text);
  return {
    // No message has this id, so that a late answer or a receipt changes none.
    messageId: -now,
    accountId: using?.accountId ?? 0,
    trackingCode: `route-test-${now}`,
    sender,
    recipient,
    text,
    ...code,
    encoding,
    partCount,
    class: messageClasses.single,
    validUntil: now + validityMs,
    attempt: 1,
  };
}

/** `ok` is true when no step failed. */
export interface RouteTestAnswer {
  ok: boolean;
  steps: NonNullable<Awaited<ReturnType<RunningRoutes["probe"]>>>;
}

/**
 * The carrier's own word for the state, such as `DELIVRD`: a receipt's detail begins with it, after the field's name.
 */
const carrierStatus = (detail: string) => /^[^:]*:(\S*)/.exec(detail)?.[1] ?? "";

const nameField = { name: t.String() };

const answerFor = ({ running, callbackUrls }: OperatorDeps, route: Route) =>
  routeAnswer(route, running.state(route.id), callbackUrls(route.id));

function existing({ directory }: OperatorDeps, name: string): Route {
  const route = directory.route(name);
  if (route === null) throw new OperatorError("route_not_found");
  return route;
}

const routeNameOf = (input: Fields) => textIn(input, "name") ?? "";

const routeAudit = {
  target: routeNameOf,
  state: ({ directory }: OperatorDeps, input: Fields) => {
    const found = directory.route(routeNameOf(input));
    if (found === null) return null;
    const { kind, enabled, drainingSince, options, hasSecrets } = routeAnswer(found, null);
    return { kind, enabled, drainingSince, options, hasSecrets };
  },
};

const routeReads = {
  // Not a possible route name, which starts with a letter or a digit.
  "GET /routes/-presets": reads({ may: "routes.read", run: () => carrierCatalogue() }),
  "GET /routes": reads({
    may: "routes.read",
    run: ({ directory, running }) => directory.routes().map((route) => routeAnswer(route, running.state(route.id))),
  }),
  "GET /routes/:name": reads({
    may: "routes.read",
    input: nameField,
    run: async (deps, { name }, { signal }) => {
      const route = existing(deps, name);
      return { ...answerFor(deps, route), figures: await routeFigures(deps, route, signal) };
    },
  }),
  "GET /routes/:name/drain": reads({
    may: "routes.read",
    input: nameField,
    run: (deps, { name }, { signal }) => drainAnswer(deps, existing(deps, name), signal),
  }),
  "GET /routes/:name/unmatched-receipts": reads({
    may: "routes.read",
    input: nameField,
    run: (deps, { name }) =>
      deps.messages.unmatchedReceipts(existing(deps, name).id).map(({ receivedAt, ...receipt }) => ({
        ...receipt,
        status: carrierStatus(receipt.detail),
        receivedAt: isoTime(receivedAt),
      })),
  }),
};

/** Enables, disables or drains a route. */
const switched = (action: string, change: (routes: OperatorDeps["routes"], name: string) => Promise<Route>) =>
  changes({
    may: "routes.change",
    input: nameField,
    run: async (deps, { name }) => answerFor(deps, await change(deps.routes, name)),
    audit: { action, ...routeAudit },
  });

const routeTools = {
  "POST /routes/:name/test": changes({
    may: "routes.change",
    input: { ...nameField, ...routeTestFields },
    run: async (deps, { name, ...text }): Promise<RouteTestAnswer> => {
      const route = existing(deps, name);
      const steps = await deps.running.probe(route.id, testSubmission(route, text, deps));
      if (steps === null) throw new OperatorError("invalid", { code: "route_disabled", values: {} });
      return { ok: steps.every((step) => step.ok !== false), steps };
    },
    audit: { action: "route.test", target: routeNameOf, told: ({ to = null }, { ok }) => ({ to, ok }) },
  }),
  // Not a possible route name, which starts with a letter or a digit.
  "POST /routes/-try": changes({
    may: "routes.change",
    input: {
      kind: oneOf(["simulator", "smpp", "http"]),
      options: routeFileSchema,
      /** A stored route that the file modifies. */
      name: t.Optional(t.String()),
      /** The file is only checked; no connection is made. */
      checkOnly: t.Optional(t.Boolean()),
    },
    run: async (deps, { kind, options, name = null, checkOnly = false }): Promise<RouteTestAnswer> => {
      const { file, problems } = deps.routes.fileToTry(kind, options, name);
      if (problems.length > 0) throw invalidRequest(problems);
      const steps = checkOnly ? [] : await deps.running.tryFile(kind, file);
      return { ok: steps.every((step) => step.ok !== false), steps };
    },
    audit: {
      action: "route.try",
      target: (input) => textIn(input, "name") ?? "",
      told: ({ kind }, { ok }) => ({ kind, ok }),
    },
  }),
  "POST /routes/:name/trace": changes({
    may: "routes.change",
    input: { ...nameField, ...routeTraceFields },
    run: (deps, { name, ...asked }) => {
      const route = existing(deps, name);
      if (route.kind === "simulator") throw new OperatorError("invalid", { code: "simulator_traced", values: {} });
      return routeTraceAnswer(route, asked, deps);
    },
    audit: {
      action: "route.trace",
      target: routeNameOf,
      told: ({ minutes = null, showTexts = false }) => ({ minutes, showTexts }),
    },
  }),
};

export const routeAdmin = {
  ...routeReads,
  ...routeTools,
  "POST /routes": changes({
    may: "routes.change",
    input: {
      name: shortNameSchema,
      kind: oneOf(["simulator", "smpp", "http"]),
      options: t.Optional(routeFileSchema),
      /** By default, the route connects immediately. */
      enabled: t.Optional(t.Boolean()),
    },
    run: async (deps, { name, kind, options = {}, enabled = true }) =>
      answerFor(deps, await deps.routes.add(name, kind, options, enabled)),
    audit: { action: "route.add", ...routeAudit },
  }),
  "PUT /routes/:name": changes({
    may: "routes.change",
    input: { ...nameField, options: routeFileSchema },
    run: async (deps, { name, options }) => answerFor(deps, await deps.routes.update(name, options)),
    audit: { action: "route.update", ...routeAudit },
  }),
  "POST /routes/:name/enable": switched("route.enable", (routes, name) => routes.setEnabled(name, true)),
  "POST /routes/:name/disable": switched("route.disable", (routes, name) => routes.setEnabled(name, false)),
  "POST /routes/:name/drain": switched("route.drain", (routes, name) => routes.setDraining(name, true)),
  "POST /routes/:name/undrain": switched("route.undrain", (routes, name) => routes.setDraining(name, false)),
  "DELETE /routes/:name": changes({
    may: "routes.change",
    input: nameField,
    run: async (deps, { name }) => {
      const removed = await deps.routes.remove(name);
      for (const condition of routeConditions) await deps.alerts.endSilence({ condition, subject: name });
      return { ...answerFor(deps, removed), removed: true };
    },
    audit: { action: "route.remove", ...routeAudit },
  }),
};
