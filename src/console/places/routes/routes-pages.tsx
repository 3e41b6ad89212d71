/** Routes: listing, adding with a carrier's form, testing, draining, changing, removing. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { cleanInput } from "../../format/input.ts";
import { askedPart, sparklinesShown } from "../../page/list-part.ts";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import { problemSentence } from "../../page/refusal.ts";
import { done, isRefused, notDone } from "../../page/usual-pages.tsx";
import { routeHref } from "./carrier-data.ts";
import { carrierOf } from "./carrier-fields.ts";
import {
  addCarrier,
  addedNotice,
  carrierPages,
  newCarrier,
  newFromJson,
  routePages,
  secretFields,
} from "./carrier-pages.tsx";
import { RoutePage } from "./route.tsx";
import { EditRoutePage, type JsonRoute, NewRoutePage, RoutesPage, RouteTestPage } from "./routes.tsx";
import { carrierChoices, jsonObject, listedRoutes, refusedRoute, routeView } from "./routes-view.ts";
import { routesWords } from "./words.ts";

type RouteCall = PageCall<{ readonly name: string }>;

const pathOf = ({ params }: RouteCall): string => routeHref(params.name);
const wordsOf = ({ locale }: PageCall) => routesWords[locale.language];

/** With the carrier's form, or as JSON. */
async function add(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  if (form.has("carrier")) return addCarrier(call);
  const kind = form.text("kind") === "smpp" ? "smpp" : "http";
  const texts: JsonRoute["texts"] = { kind, name: form.text("name"), file: form.raw("file") };
  const { name, file } = texts;
  const again = async (errors: JsonRoute["errors"]) =>
    formAgain(<NewRoutePage {...{ texts, errors }} carriers={await carrierChoices(api)} carrier={null} />);
  try {
    if (form.text("do") === "form") {
      return newFromJson(kind, name, file) ?? (await again({ file: wordsOf(call).noForm }));
    }
    await api("POST /routes", { name, kind, options: jsonObject(file) });
    return redirect(routeHref(name), addedNotice(call, name));
  } catch (reason) {
    return again(refusedRoute(reason, locale));
  }
}

/** Sends a text only if a number is given. */
async function test(call: RouteCall): Promise<PageAnswer> {
  const to = cleanInput(call.form.text("to"));
  const { name } = call.params;
  try {
    const tested = await call.api("POST /routes/:name/test", { name, to: to === "" ? undefined : to });
    return document(<RouteTestPage name={name} {...tested} />);
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    const why = reason.problems.map((problem) => problemSentence(problem, call.locale)).join(" ");
    return notDone(pathOf(call), why);
  }
}

/** Without its secrets. */
async function storedFile({ api, params: { name } }: RouteCall) {
  const { kind, options } = await api("GET /routes/:name", { name });
  const file = JSON.stringify(options, null, 2);
  return { name, hasForm: !["other", "simulator"].includes(carrierOf(kind, options)), file };
}

/** From now on, whichever of the carrier's id formats matches. */
async function match(call: RouteCall): Promise<PageAnswer> {
  const { name, options } = await call.api("GET /routes/:name", { name: call.params.name });
  await call.api("PUT /routes/:name", { name, options: { ...options, receiptId: "auto" } });
  return done(pathOf(call), wordsOf(call).changed);
}

const { shown, live, form, question, button } = routePages;

const switches = (["enable", "disable", "drain", "undrain"] as const).map((what) =>
  button(`/routes/:name/${what}`, async (call: RouteCall) => {
    await call.api(`POST /routes/:name/${what}`, { name: call.params.name });
    return done(pathOf(call), wordsOf(call).done[what]);
  }),
);

export const routesPages = [
  ...carrierPages,
  shown("/routes", async ({ api, query, locale }) => (
    <RoutesPage routes={await listedRoutes(api, locale.format.now, { ...askedPart(query), rows: sparklinesShown })} />
  )),
  // Not a possible route name, which starts with a letter or a digit.
  shown("/routes/-new", newCarrier, "routes.change"),
  button("/routes/-new", add, {
    secretFields,
    formAt: ({ value }) => ({
      page: `/routes/-new?${new URLSearchParams({ carrier: value("carrier") || "other" })}`,
      action: "/routes/-new",
    }),
  }),
  ...live("/routes/:name", { load: routeView, View: RoutePage }),
  ...switches,
  button("/routes/:name/test", test),
  ...form("/routes/:name/edit", {
    secretFields,
    async load(call) {
      const { file, ...stored } = await storedFile(call);
      return { ...stored, texts: { file }, opened: openedWith({ file }) };
    },
    typed({ form, locale }, { texts: now }) {
      const edit = { opened: form.raw("opened"), typed: { file: form.raw("file") }, now };
      const { fields, errors } = mergedEdit(edit, locale.words);
      return form.text("do") === "form" ? {} : { texts: fields, errors };
    },
    View: EditRoutePage,
    async run(call, { name, hasForm, texts }) {
      if (call.form.text("do") === "form") return redirect(pathOf(call) + (hasForm ? "/change" : "/edit"));
      await call.api("PUT /routes/:name", { name, options: jsonObject(texts.file) });
      return done(pathOf(call), wordsOf(call).changed);
    },
    refused: (reason, { locale }) => ({ file: refusedRoute(reason, locale).file ?? "" }),
  }),
  button("/routes/:name/match", match),
  ...question("/routes/:name/remove", {
    async ask(call) {
      const { name } = await call.api("GET /routes/:name", { name: call.params.name });
      return { words: wordsOf(call).removing, name, back: pathOf(call) };
    },
    async run(call) {
      const { name } = call.params;
      const say = wordsOf(call);
      const isUsed = await isRefused(call.api("DELETE /routes/:name", { name }), "route_in_use", "last_route");
      return isUsed ? notDone(pathOf(call), say.notRemoved) : done("/routes", say.removed(name));
    },
  }),
];
