/** Adding and changing carriers by form or as JSON, and testing them before anything is saved. */
import { Notice } from "../../components/blocks.tsx";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, partial, redirect } from "../../page/page.ts";
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
import { EditRoutePage, NewRoutePage } from "./routes.tsx";
import { carrierChoices, jsonObject } from "./routes-view.ts";
import { routesWords } from "./words.ts";

type RouteCall = PageCall<{ readonly name: string }>;

const blank = { name: "", errors: {}, trial: null } as const;

const newView = (carrier: CarrierName, form: CarrierForm): CarrierView => ({ carrier, changed: null, form, ...blank });

const shown = (call: PageCall, view: CarrierView) => <CarrierPage shell={call.shell("routes")} view={view} />;

/** A file for the JSON form: secrets have to be typed again. */
function fileText(carrier: CarrierName, form: CarrierForm, isNew: boolean): string {
  const file = fileOf(carrier, form);
  for (const key of secretKeysOf(carrier)) {
    if (isNew && file[key] !== undefined) file[key] = "";
    else if (!isNew) delete file[key];
  }
  return JSON.stringify(file, null, 2);
}

/** `?carrier=other`: as JSON. */
export async function newCarrier(call: PageCall): Promise<PageAnswer> {
  const carrier = carrierNamed(call.query.get("carrier"));
  if (carrier === "other") return document(await jsonPage(call, "", call.query.get("example")));
  return document(shown(call, newView(carrier, formOf(carrier, carrier === "smpp" ? { port: 2775 } : {}))));
}

async function jsonPage(
  call: PageCall,
  name: string,
  example: string | null,
  typed?: { kind: "smpp" | "http"; file: string },
) {
  const carriers = await carrierChoices(call.api);
  const chosen = carriers.find((one) => one.name === example) ?? null;
  const { kind = "http", file = chosen?.file ?? "" } = typed ?? {};
  const view = { fields: { kind, name, file }, carriers, carrier: chosen, errors: {} };
  return <NewRoutePage shell={call.shell("routes")} view={view} />;
}

export async function addCarrier(call: PageCall): Promise<PageAnswer> {
  const { api, form: posted, locale } = call;
  const carrier = carrierNamed(posted.text("carrier"));
  const name = posted.text("name");
  const form = postedCarrier(posted, carrier);
  const view = { ...newView(carrier, form), name };
  const tried = { carrier, form, name: null };
  if (posted.text("do") === "test") {
    const trial = await trialOf(api, tried, locale);
    return call.isPiece
      ? partial(<CarrierTrial view={{ ...view, trial }} />)
      : document(shown(call, { ...view, trial }));
  }
  const kind = kindOf(carrier);
  if (posted.text("do") === "json" && kind !== "simulator") {
    return document(await jsonPage(call, name, null, { kind, file: fileText(carrier, form, true) }));
  }
  try {
    await api("POST /routes", { name, kind, options: fileOf(carrier, form) });
    return redirect(routeHref(name), addedNotice(call, name));
  } catch (reason) {
    const errors = carrierErrors(reason, carrier, locale);
    // A wrong name hides all other errors.
    return formAgain(shown(call, { ...view, errors: { ...errors, ...(await fileErrors(api, tried, locale)) } }));
  }
}

export function addedNotice({ locale }: PageCall, name: string) {
  const say = routesWords[locale.language];
  const choose = (
    <a class="button" href="/senders">
      {say.chooseSenders}
    </a>
  );
  return (
    <Notice tone="ok" action={choose}>
      {say.added(name)}
    </Notice>
  );
}

/** The JSON form's content as fields; null if its carrier has no fields. */
export function newFromJson(call: PageCall, kind: string, name: string, file: string): PageAnswer | null {
  const options = jsonObject(file);
  const carrier = carrierOf(kind, options);
  return carrier === "other"
    ? null
    : document(shown(call, { ...newView(carrier, withoutSecrets(carrier, formOf(carrier, options))), name }));
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

async function changeForm(call: RouteCall): Promise<PageAnswer> {
  const { carrier, view } = await storedCarrier(call);
  if (carrier === "other" || carrier === "simulator") return redirect(routeHref(call.params.name, "/edit"));
  return document(shown(call, view));
}

async function change(call: RouteCall): Promise<PageAnswer> {
  const { api, form: posted, locale, params } = call;
  const { name } = params;
  const { carrier, form: stored, view: now } = await storedCarrier(call);
  const typed = postedCarrier(posted, carrier);
  const opened = { name, opened: posted.raw("opened"), hasSecrets: now.changed?.hasSecrets === true };
  const view: CarrierView = { ...now, changed: opened, form: typed };
  if (posted.text("do") === "test") {
    const trial = await trialOf(api, { carrier, form: typed, name }, locale);
    return call.isPiece
      ? partial(<CarrierTrial view={{ ...view, trial }} />)
      : document(shown(call, { ...view, trial }));
  }
  if (posted.text("do") === "json") {
    const { options } = await api("GET /routes/:name", { name });
    const stored = openedWith({ file: JSON.stringify(options, null, 2) });
    const json = { name, file: fileText(carrier, typed, false), error: null, opened: stored };
    return document(<EditRoutePage shell={call.shell("routes")} view={json} />);
  }
  const shared = sharedTexts(carrier, stored);
  const merged = mergedEdit({ opened: opened.opened, typed: sharedTexts(carrier, typed), now: shared }, locale.words);
  if (Object.keys(merged.errors).length > 0)
    return formAgain(shown(call, { ...now, form: typed, errors: merged.errors }));
  const form = withShared(carrier, typed, merged.fields);
  try {
    await api("PUT /routes/:name", { name, options: fileOf(carrier, form) });
    return redirect(routeHref(name), <Notice tone="ok">{routesWords[locale.language].changed}</Notice>);
  } catch (reason) {
    return formAgain(shown(call, { ...view, form, errors: carrierErrors(reason, carrier, locale) }));
  }
}

export const secretFields = ["file"];

export const carrierPages = [
  page({ method: "GET", path: "/routes/:name/change", action: "routes.change", answer: changeForm }),
  page({ method: "POST", path: "/routes/:name/change", action: "routes.change", secretFields, answer: change }),
];
