/** Routes: the list, adding one by a form that knows the carriers, testing, draining, changing, removing. */

import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import type { FieldErrors } from "../components/forms.tsx";
import { askedPart } from "../data/list-part.ts";
import { mergedEdit, openedWith } from "../data/merged-edit.ts";
import { carrierChoices, jsonObject, refusedRoute, routeFile, routeItems, routeView } from "../data/routes.ts";
import { cleanInput } from "../format/input.ts";
import { ConfirmPage } from "../pages/confirm.tsx";
import { problemSentence } from "../pages/refusal.ts";
import { RoutePage } from "../pages/route.tsx";
import {
  EditRoutePage,
  NewRoutePage,
  type RouteFields,
  RoutesPage,
  RouteTestPage,
  routeHref,
} from "../pages/routes.tsx";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

type RouteCall = PageCall<{ readonly name: string }>;

const kinds = ["smpp", "http", "simulator"] as const;
const kindOf = (text: string | null): RouteFields["kind"] => kinds.find((kind) => kind === text) ?? "smpp";
const mayChange = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "routes.change");
const pathOf = ({ params }: RouteCall): string => routeHref(params.name);

async function list(call: PageCall): Promise<PageAnswer> {
  const routes = await routeItems(call.api, askedPart(call.query));
  return document(<RoutesPage shell={call.shell("routes")} routes={routes} mayChange={mayChange(call)} />);
}

async function newForm(call: PageCall, typed?: { fields: RouteFields; errors: FieldErrors }) {
  const { api, query, shell } = call;
  const carriers = await carrierChoices(api);
  const carrier = carriers.find(({ name }) => name === query.get("carrier")) ?? null;
  const empty = { name: "", host: "", port: "2775", systemId: "", password: "", partsPerSecond: "", tls: false };
  const fields = typed?.fields ?? { ...empty, kind: kindOf(query.get("kind")), file: carrier?.file ?? "" };
  return <NewRoutePage shell={shell("routes")} view={{ fields, carriers, carrier, errors: typed?.errors ?? {} }} />;
}

function fieldsIn({ form }: PageCall): RouteFields {
  return {
    kind: kindOf(form.text("kind")),
    name: form.text("name"),
    host: form.text("host"),
    port: cleanInput(form.text("port")),
    systemId: form.text("systemId"),
    password: form.raw("password"),
    partsPerSecond: cleanInput(form.text("partsPerSecond")),
    tls: form.has("tls"),
    file: form.raw("file"),
  };
}

async function add(call: PageCall): Promise<PageAnswer> {
  const fields = fieldsIn(call);
  try {
    const { kind, name } = fields;
    await call.api("POST /routes", { name, kind, options: routeFile(fields) });
    return redirect(routeHref(name), <Notice tone="ok">{call.locale.words.routes.added(name)}</Notice>);
  } catch (reason) {
    return formAgain(await newForm(call, { fields, errors: refusedRoute(reason, fields.kind, call.locale) }));
  }
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
    return redirect(pathOf(call), <Notice tone="ok">{call.locale.words.routes.done[what]}</Notice>);
  };
}

/** Sends a text only where a number is given. */
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

async function editPage(call: RouteCall, typed?: { file: string; error: string }) {
  const { name, options } = await routeView(call.api, call.params.name);
  const opened = openedWith({ file: options });
  const view = { name, file: typed?.file ?? options, error: typed?.error ?? null, opened };
  return <EditRoutePage shell={call.shell("routes")} view={view} />;
}

async function edit(call: RouteCall): Promise<PageAnswer> {
  const file = call.form.raw("file");
  const { options } = await routeView(call.api, call.params.name);
  const edited = { opened: call.form.raw("opened"), typed: { file }, now: { file: options } };
  const { fields, errors } = mergedEdit(edited, call.locale.words);
  if (errors.file !== undefined) return formAgain(await editPage(call, { file, error: errors.file }));
  try {
    await call.api("PUT /routes/:name", { name: call.params.name, options: jsonObject(fields.file) });
    return redirect(pathOf(call), <Notice tone="ok">{call.locale.words.routes.changed}</Notice>);
  } catch (reason) {
    const { file: error = "" } = refusedRoute(reason, "http", call.locale);
    return formAgain(await editPage(call, { file, error }));
  }
}

/** From now on whichever form of the carrier's ids fits. */
async function match(call: RouteCall): Promise<PageAnswer> {
  const { name, options } = await call.api("GET /routes/:name", { name: call.params.name });
  await call.api("PUT /routes/:name", { name, options: { ...options, receiptId: "auto" } });
  return redirect(pathOf(call), <Notice tone="ok">{call.locale.words.routes.changed}</Notice>);
}

async function askRemove(call: RouteCall): Promise<PageAnswer> {
  const { name } = await call.api("GET /routes/:name", { name: call.params.name });
  const say = call.locale.words.routes;
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
  const say = call.locale.words.routes;
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
  page({ method: "GET", path: "/routes", action: "routes.read", answer: list }),
  // No route has this name: one begins with a letter or a digit.
  page({ method: "GET", path: "/routes/-new", action: change, answer: async (call) => document(await newForm(call)) }),
  page({
    method: "POST",
    path: "/routes/-new",
    action: change,
    secretFields: ["password", "file"],
    formAt: ({ value }) => ({ page: `/routes/-new?${new URLSearchParams({ kind: value("kind") })}` }),
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
