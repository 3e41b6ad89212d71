/** Adding and changing carriers by form or as JSON, and testing them before anything is saved. */
import type { FunctionComponent, VNode } from "preact";
import { Notice } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, partial, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { type CarrierView, routeHref } from "./carrier-data.ts";
import { type CarrierForm, type CarrierName, carrierOf, fileOf, formOf, secretKeysOf } from "./carrier-fields.ts";
import { CarrierPage } from "./carrier-form.tsx";
import { CarrierTrial } from "./carrier-trial.tsx";
import {
  carrierErrors,
  carrierNamed,
  fileErrors,
  kindOf,
  postedCarrier,
  sharedTexts,
  trialOf,
  withShared,
} from "./carrier-view.ts";
import { EditRoutePage, type JsonRoute, NewRoutePage } from "./routes.tsx";
import { carrierChoices, jsonObject } from "./routes-view.ts";
import { routesWords } from "./words.ts";

type RouteCall = PageCall<{ readonly name: string }>;

export const routePages = usualPages("routes", { read: "routes.read", change: "routes.change" });

const blank = { name: "", errors: {}, trial: null, newAt: "/routes/-new", isShort: false } as const;

/** What adds a carrier: its address, its page, and where it goes on. */
export interface Adding {
  newAt: string;
  Page: FunctionComponent<{ view: CarrierView }>;
  added(call: PageCall, name: string): PageAnswer;
}

const inRoutes: Adding = {
  newAt: "/routes/-new",
  Page: CarrierPage,
  added: (call, name) => redirect(routeHref(name), addedNotice(call, name)),
};

const newView = (carrier: CarrierName, form: CarrierForm): CarrierView => ({ carrier, changed: null, form, ...blank });

const again = (view: CarrierView, Page = inRoutes.Page) => formAgain(<Page view={view} />);

/** A script asks for the test alone. */
const tried = ({ isPiece }: PageCall, view: CarrierView, Page = inRoutes.Page): PageAnswer =>
  isPiece ? partial(<CarrierTrial view={view} />) : document(<Page view={view} />);

/** A file for the JSON form: secrets have to be typed again. */
function fileText(carrier: CarrierName, form: CarrierForm, isNew: boolean): string {
  const file = fileOf(carrier, form);
  for (const key of secretKeysOf(carrier)) {
    if (isNew && file[key] !== undefined) file[key] = "";
    else if (!isNew) delete file[key];
  }
  return JSON.stringify(file, null, 2);
}

export const emptyView = (carrier: CarrierName) =>
  newView(carrier, formOf(carrier, carrier === "smpp" ? { port: 2775 } : {}));

/** `?carrier=other`: as JSON. */
export async function newCarrier({ api, query }: PageCall): Promise<VNode> {
  const carrier = carrierNamed(query.get("carrier"));
  if (carrier !== "other") return <CarrierPage view={emptyView(carrier)} />;
  const carriers = await carrierChoices(api);
  const chosen = carriers.find(({ name }) => name === query.get("example")) ?? null;
  const texts: JsonRoute["texts"] = { kind: "http", name: "", file: chosen?.file ?? "" };
  return <NewRoutePage texts={texts} carriers={carriers} carrier={chosen} errors={{}} />;
}

export async function addCarrier(call: PageCall, { newAt, Page, added } = inRoutes): Promise<PageAnswer> {
  const { api, form: posted, locale } = call;
  const carrier = carrierNamed(posted.text("carrier"));
  const name = posted.text("name");
  const form = postedCarrier(posted, carrier);
  const view = { ...newView(carrier, form), name, newAt, isShort: newAt !== inRoutes.newAt };
  const trial = { carrier, form, name: null };
  if (posted.text("do") === "test") return tried(call, { ...view, trial: await trialOf(api, trial, locale) }, Page);
  const kind = kindOf(carrier);
  if (posted.text("do") === "json" && kind !== "simulator") {
    const texts = { kind, name, file: fileText(carrier, form, true) };
    return document(<NewRoutePage texts={texts} carriers={await carrierChoices(api)} carrier={null} errors={{}} />);
  }
  try {
    await api("POST /routes", { name, kind, options: fileOf(carrier, form) });
    return added(call, name);
  } catch (reason) {
    const errors = carrierErrors(reason, carrier, locale);
    // A wrong name hides all other errors.
    return again({ ...view, errors: { ...errors, ...(await fileErrors(api, trial, locale)) } }, Page);
  }
}

export function addedNotice({ locale }: PageCall, name: string) {
  const say = routesWords[locale.language];
  return (
    <Notice tone="ok" action={<LinkButton href="/senders" label={say.chooseSenders} />}>
      {say.added(name)}
    </Notice>
  );
}

/** The JSON form's content as fields; null if its carrier has no fields. */
export function newFromJson(kind: string, name: string, file: string): PageAnswer | null {
  const options = jsonObject(file);
  const carrier = carrierOf(kind, options);
  if (carrier === "other") return null;
  const form = withoutSecrets(carrier, formOf(carrier, options));
  return document(<CarrierPage view={{ ...newView(carrier, form), name }} />);
}

/** Secrets are never sent back. */
function withoutSecrets(carrier: CarrierName, form: CarrierForm): CarrierForm {
  const texts = { ...form.texts };
  for (const key of secretKeysOf(carrier)) texts[key] = "";
  return { ...form, texts };
}

async function storedCarrier(call: RouteCall) {
  const { name, kind, options, hasSecrets } = await call.api("GET /routes/:name", { name: call.params.name });
  const carrier = carrierOf(kind, options);
  const form = formOf(carrier, options);
  const opened = openedWith(sharedTexts(carrier, form));
  const view: CarrierView = { ...newView(carrier, form), name, changed: { name, opened, hasSecrets } };
  return { carrier, form, view };
}

async function change(call: RouteCall): Promise<PageAnswer> {
  const { api, form: posted, locale, params } = call;
  const { name } = params;
  const { carrier, form: stored, view: now } = await storedCarrier(call);
  const typed = postedCarrier(posted, carrier);
  const opened = { name, opened: posted.raw("opened"), hasSecrets: now.changed?.hasSecrets === true };
  const view: CarrierView = { ...now, changed: opened, form: typed };
  if (posted.text("do") === "test")
    return tried(call, { ...view, trial: await trialOf(api, { carrier, form: typed, name }, locale) });
  if (posted.text("do") === "json") {
    const { options } = await api("GET /routes/:name", { name });
    const stored = openedWith({ file: JSON.stringify(options, null, 2) });
    const texts = { file: fileText(carrier, typed, false) };
    return document(<EditRoutePage name={name} texts={texts} errors={{}} opened={stored} />);
  }
  const shared = sharedTexts(carrier, stored);
  const merged = mergedEdit({ opened: opened.opened, typed: sharedTexts(carrier, typed), now: shared }, locale.words);
  if (Object.keys(merged.errors).length > 0) return again({ ...now, form: typed, errors: merged.errors });
  const form = withShared(carrier, typed, merged.fields);
  try {
    await api("PUT /routes/:name", { name, options: fileOf(carrier, form) });
    return done(routeHref(name), routesWords[locale.language].changed);
  } catch (reason) {
    return again({ ...view, form, errors: carrierErrors(reason, carrier, locale) });
  }
}

export const secretFields = ["file"];

/** The address in a route's page whose form takes a carrier's fields, or leads to its file. */
const changeForm = async (call: RouteCall) => {
  const { carrier, view } = await storedCarrier(call);
  const hasForm = carrier !== "other" && carrier !== "simulator";
  return hasForm ? <CarrierPage view={view} /> : redirect(routeHref(call.params.name, "/edit"));
};

export const carrierPages = [
  routePages.shown("/routes/:name/change", changeForm, "routes.change"),
  routePages.button("/routes/:name/change", change, { secretFields }),
];
