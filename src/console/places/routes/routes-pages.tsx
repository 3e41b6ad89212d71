/** Routes: listing, adding with a carrier's form, testing, draining, changing, removing. */

import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput } from "../../format/input.ts";
import { askedPart, sparklinesShown } from "../../page/list-part.ts";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { problemSentence } from "../../page/refusal.ts";
import { routeHref } from "./carrier-data.ts";
import { carrierOf } from "./carrier-fields.ts";
import { addCarrier, addedNotice, carrierPages, newCarrier, newFromJson, secretFields } from "./carrier-pages.tsx";
import { RoutePage } from "./route.tsx";
import { EditRoutePage, NewRoutePage, type RouteFields, RoutesPage, RouteTestPage } from "./routes.tsx";
import { carrierChoices, jsonObject, listedRoutes, refusedRoute, routeView } from "./routes-view.ts";
import { routesWords } from "./words.ts";

type RouteCall = PageCall<{ readonly name: string }>;

const kindOf = (text: string): RouteFields["kind"] => (text === "smpp" ? "smpp" : "http");
const mayChange = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "routes.change");
const pathOf = ({ params }: RouteCall): string => routeHref(params.name);

async function list(call: PageCall): Promise<PageAnswer> {
  const routes = await listedRoutes(call.api, { ...askedPart(call.query), rows: sparklinesShown });
  return document(<RoutesPage shell={call.shell("routes")} routes={routes} mayChange={mayChange(call)} />);
}

/** With the carrier's form, or as JSON. */
async function add(call: PageCall): Promise<PageAnswer> {
  const { form, locale } = call;
  if (form.has("carrier")) return addCarrier(call);
  const fields = { kind: kindOf(form.text("kind")), name: form.text("name"), file: form.raw("file") };
  try {
    if (form.text("do") === "form") {
      const asForm = newFromJson(call, fields.kind, fields.name, fields.file);
      return asForm ?? formAgain(await jsonForm(call, fields, { file: routesWords[locale.language].noForm }));
    }
    const { kind, name, file } = fields;
    await call.api("POST /routes", { name, kind, options: jsonObject(file) });
    return redirect(routeHref(name), addedNotice(call, name));
  } catch (reason) {
    return formAgain(await jsonForm(call, fields, refusedRoute(reason, locale)));
  }
}

async function jsonForm(call: PageCall, fields: RouteFields, errors: FieldErrors) {
  const carriers = await carrierChoices(call.api);
  return <NewRoutePage shell={call.shell("routes")} view={{ fields, carriers, carrier: null, errors }} />;
}

async function show(call: RouteCall): Promise<PageAnswer> {
  const { api, params, viewer, shell } = call;
  const may = { change: mayChange(call), seeSecrets: roleMay(viewer.role, "routes.secrets") };
  return document(<RoutePage shell={shell("routes")} view={await routeView(api, params.name)} may={may} />);
}

type Switch = "enable" | "disable" | "drain" | "undrain";

function switched(what: Switch) {
  return async (call: RouteCall): Promise<PageAnswer> => {
    await call.api(`POST /routes/:name/${what}`, { name: call.params.name });
    return redirect(pathOf(call), <Notice tone="ok">{routesWords[call.locale.language].done[what]}</Notice>);
  };
}

/** Sends a text only if a number is given. */
async function test(call: RouteCall): Promise<PageAnswer> {
  const to = cleanInput(call.form.text("to"));
  try {
    const { ok, steps } = await call.api("POST /routes/:name/test", {
      name: call.params.name,
      to: to === "" ? undefined : to,
    });
    const shown = steps.map(({ step, ok: isGood, ...rest }) => ({ name: step, ok: isGood, ...rest }));
    const view = { name: call.params.name, ok, steps: shown };
    return document(<RouteTestPage shell={call.shell("routes")} view={view} />);
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    const why = reason.problems.map((problem) => problemSentence(problem, call.locale)).join(" ");
    return redirect(pathOf(call), <Notice tone="bad">{why}</Notice>);
  }
}

/** Without its secrets. */
async function fileOf({ api, params: { name } }: RouteCall) {
  const { kind, options } = await api("GET /routes/:name", { name });
  const hasForm = !["other", "simulator"].includes(carrierOf(kind, options));
  return { name, hasForm, options: JSON.stringify(options, null, 2) };
}

async function editPage(call: RouteCall, typed?: { file: string; error: string }) {
  const { name, options } = await fileOf(call);
  const opened = openedWith({ file: options });
  const view = { name, file: typed?.file ?? options, error: typed?.error ?? null, opened };
  return <EditRoutePage shell={call.shell("routes")} view={view} />;
}

async function edit(call: RouteCall): Promise<PageAnswer> {
  const file = call.form.raw("file");
  const { options, hasForm } = await fileOf(call);
  if (call.form.text("do") === "form") return redirect(pathOf(call) + (hasForm ? "/change" : "/edit"));
  const edited = { opened: call.form.raw("opened"), typed: { file }, now: { file: options } };
  const { fields, errors } = mergedEdit(edited, call.locale.words);
  if (errors.file !== undefined) return formAgain(await editPage(call, { file, error: errors.file }));
  try {
    await call.api("PUT /routes/:name", { name: call.params.name, options: jsonObject(fields.file) });
    return redirect(pathOf(call), <Notice tone="ok">{routesWords[call.locale.language].changed}</Notice>);
  } catch (reason) {
    const { file: error = "" } = refusedRoute(reason, call.locale);
    return formAgain(await editPage(call, { file, error }));
  }
}

/** From now on, whichever of the carrier's id formats matches. */
async function match(call: RouteCall): Promise<PageAnswer> {
  const { name, options } = await call.api("GET /routes/:name", { name: call.params.name });
  await call.api("PUT /routes/:name", { name, options: { ...options, receiptId: "auto" } });
  return redirect(pathOf(call), <Notice tone="ok">{routesWords[call.locale.language].changed}</Notice>);
}

async function askRemove(call: RouteCall): Promise<PageAnswer> {
  const { name } = await call.api("GET /routes/:name", { name: call.params.name });
  const say = routesWords[call.locale.language];
  const view = {
    question: say.removeAsk(name),
    goes: [say.removeGoes],
    stays: [say.removeStays],
    action: `${pathOf(call)}/remove`,
    doIt: say.removeDo(name),
    keep: say.keep,
    back: pathOf(call),
  };
  return document(<ConfirmPage shell={call.shell("routes")} view={view} />);
}

async function remove(call: RouteCall): Promise<PageAnswer> {
  const say = routesWords[call.locale.language];
  try {
    await call.api("DELETE /routes/:name", { name: call.params.name });
  } catch (reason) {
    const isUsed = reason instanceof OperatorError && ["route_in_use", "last_route"].includes(reason.code);
    if (!isUsed) throw reason;
    return redirect(pathOf(call), <Notice tone="bad">{say.notRemoved}</Notice>);
  }
  return redirect("/routes", <Notice tone="ok">{say.removed(call.params.name)}</Notice>);
}

const change = "routes.change";

export const routesPages = [
  ...carrierPages,
  page({ method: "GET", path: "/routes", action: "routes.read", answer: list }),
  // Not a possible route name, which starts with a letter or a digit.
  page({ method: "GET", path: "/routes/-new", action: change, answer: newCarrier }),
  page({
    method: "POST",
    path: "/routes/-new",
    action: change,
    secretFields,
    formAt: ({ value }) => ({
      page: `/routes/-new?${new URLSearchParams({ carrier: value("carrier") || "other" })}`,
      action: "/routes/-new",
    }),
    answer: add,
  }),
  page({ method: "GET", path: "/routes/:name", action: "routes.read", answer: show }),
  page({ method: "POST", path: "/routes/:name/enable", action: change, answer: switched("enable") }),
  page({ method: "POST", path: "/routes/:name/disable", action: change, answer: switched("disable") }),
  page({ method: "POST", path: "/routes/:name/drain", action: change, answer: switched("drain") }),
  page({ method: "POST", path: "/routes/:name/undrain", action: change, answer: switched("undrain") }),
  page({ method: "POST", path: "/routes/:name/test", action: change, answer: test }),
  page({
    method: "GET",
    path: "/routes/:name/edit",
    action: change,
    answer: async (call) => document(await editPage(call)),
  }),
  page({ method: "POST", path: "/routes/:name/edit", action: change, secretFields: ["file"], answer: edit }),
  page({ method: "POST", path: "/routes/:name/match", action: change, answer: match }),
  page({ method: "GET", path: "/routes/:name/remove", action: change, answer: askRemove }),
  page({ method: "POST", path: "/routes/:name/remove", action: change, answer: remove }),
];
