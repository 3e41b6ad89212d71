/** Keys, of the customer's own account at `/keys` and of any account below its path: create, change, renew, revoke. */
import { keyFields } from "../../../domain/declared-fields.ts";
import type { FieldTexts } from "../../../domain/field.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { permissions } from "../../../domain/permissions.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { askedPart } from "../../page/list-part.ts";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, madePage, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusalSentence, refusedFields } from "../../page/refusal.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { CancelWaitingChoice, GraceChoice, gracesOffered, IssuedKeyPage, KeyFormPage, KeysPage } from "./keys.tsx";
import { activeSender, curlExample, keyList } from "./keys-view.ts";
import { keysWords } from "./words.ts";

export interface KeysPagesDeps {
  /** Where customers reach the public API. */
  apiUrl: string;
  /** Whether test keys can be created. */
  hasSandbox: boolean;
  defaults: ServiceDefaults;
}

/** The account of a page's keys, and the path of the page. */
interface KeysAt {
  /** Empty for a customer's own. */
  account: string;
  path: string;
  above: { title: string; href: string };
}

type AnyCall = PageCall<{ readonly id?: string; readonly key?: string }>;

async function keysAt({ api, params: { id }, locale: { language } }: AnyCall): Promise<KeysAt> {
  if (id === undefined)
    return { account: "", path: "/keys", above: { title: keysWords[language].title, href: "/keys" } };
  const { id: account, name } = await namedAccount(api, id);
  return { account, path: `/accounts/${account}/keys`, above: { title: name, href: `/accounts/${account}` } };
}

const placeOf = ({ params }: AnyCall) => (params.id === undefined ? "keys" : "accounts");

const nothing = { name: "", rate: null, permissions, expiresAt: null, allowFrom: [] };

async function newForm(call: AnyCall, { hasSandbox, defaults }: KeysPagesDeps, typed?: Typed) {
  const { path, above } = await keysAt(call);
  const view = {
    title: keysWords[call.locale.language].create,
    above,
    action: `${path}/new`,
    texts: typed?.texts ?? shownTexts(keyFields, nothing, call.locale),
    errors: typed?.errors ?? {},
    isTest: hasSandbox ? call.form.has("test") : null,
    opened: null,
    inherited: defaults.key,
  };
  return <KeyFormPage shell={call.shell(placeOf(call))} view={view} />;
}

interface Typed {
  texts: FieldTexts<typeof keyFields>;
  errors: FieldErrors;
}

async function issued(call: AnyCall, deps: KeysPagesDeps, key: { name: string; account: string; apiKey: string }) {
  const { above } = await keysAt(call);
  const example = curlExample(deps.apiUrl, key.apiKey, await activeSender(call.api, key.account));
  const view = { name: key.name, above, secret: key.apiKey, example };
  return madePage(<IssuedKeyPage shell={call.shell(placeOf(call))} view={view} />, above.href);
}

async function make(call: AnyCall, deps: KeysPagesDeps): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const texts = postedTexts(keyFields, form, shownTexts(keyFields, nothing, locale));
  const { account } = await keysAt(call);
  try {
    const test = form.has("test") ? true : undefined;
    return await issued(
      call,
      deps,
      await api("POST /keys", { account, ...typedValues(keyFields, texts, locale), test }),
    );
  } catch (reason) {
    const isFull = reason instanceof OperatorError && reason.code === "key_limit_reached";
    const errors = isFull ? { name: refusalSentence(reason, locale) } : refusedFields(reason, locale);
    return formAgain(await newForm(call, deps, { texts, errors }));
  }
}

async function changeForm(call: AnyCall, { defaults }: KeysPagesDeps, typed?: Typed) {
  const [key, { path, above }] = await Promise.all([keyIn(call), keysAt(call)]);
  const now = shownTexts(keyFields, key, call.locale);
  const view = {
    title: keysWords[call.locale.language].changeTitle(key.name),
    above,
    action: `${path}/${key.id}/change`,
    texts: typed?.texts ?? now,
    errors: typed?.errors ?? {},
    isTest: null,
    opened: openedWith(now),
    inherited: defaults.key,
  };
  return <KeyFormPage shell={call.shell(placeOf(call))} view={view} />;
}

async function change(call: AnyCall, deps: KeysPagesDeps): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const [key, { above }] = await Promise.all([keyIn(call), keysAt(call)]);
  const now = shownTexts(keyFields, key, locale);
  const edit = { opened: form.raw("opened"), typed: postedTexts(keyFields, form, now), now };
  const { fields: texts, errors } = mergedEdit(edit, locale.words);
  if (Object.keys(errors).length > 0) return formAgain(await changeForm(call, deps, { texts, errors }));
  // An unchanged end keeps its seconds, although its control only shows minutes; so does one in the past.
  const touched = Object.entries(typedValues(keyFields, texts, locale)).filter(
    ([name]) => Reflect.get(texts, name) !== Reflect.get(now, name),
  );
  try {
    if (touched.length > 0) await api("PATCH /keys/:id", { id: key.id, ...Object.fromEntries(touched) });
    return redirect(above.href, <Notice tone="ok">{keysWords[locale.language].changed(texts.name)}</Notice>);
  } catch (reason) {
    return formAgain(await changeForm(call, deps, { texts, errors: refusedFields(reason, locale) }));
  }
}

/** The key named in the path, if it is one of these. */
async function keyIn(call: AnyCall) {
  const { account } = await keysAt(call);
  const key = await call.api("GET /keys/:id", { id: call.params.key ?? "" });
  if (account !== "" && key.account !== account) throw new OperatorError("key_not_found");
  return key;
}

async function ask(call: AnyCall, what: "rotate" | "revoke"): Promise<PageAnswer> {
  const say = keysWords[call.locale.language];
  const [{ id, name }, { path, above }] = await Promise.all([keyIn(call), keysAt(call)]);
  const words =
    what === "rotate"
      ? { question: say.rotateAsk(name), goes: [say.rotateGoes], stays: [say.rotateStays], doIt: say.rotateDo }
      : { question: say.revokeAsk(name), goes: [say.revokeGoes], stays: [say.revokeStays], doIt: say.revokeDo(name) };
  const choices = what === "rotate" ? <GraceChoice /> : <CancelWaitingChoice />;
  const view = { ...words, choices, action: `${path}/${id}/${what}`, keep: say.keep, back: above.href };
  return document(<ConfirmPage shell={call.shell(placeOf(call))} view={view} />);
}

async function rotate(call: AnyCall, deps: KeysPagesDeps): Promise<PageAnswer> {
  const { id } = await keyIn(call);
  const graceSeconds = gracesOffered.find((seconds) => String(seconds) === call.form.text("grace"));
  return issued(call, deps, await call.api("POST /keys/:id/rotate", { id, graceSeconds }));
}

async function revoke(call: AnyCall): Promise<PageAnswer> {
  const { id, name } = await keyIn(call);
  const { above } = await keysAt(call);
  const cancelWaiting = call.form.has("cancelWaiting");
  const { waiting } = await call.api("POST /keys/:id/revoke", { id, cancelWaiting });
  const { language, format } = call.locale;
  const say = keysWords[language];
  const told = waiting === null ? say.revoked(name) : say.revokedWaiting(name, format.count(waiting.cancelled));
  return redirect(above.href, <Notice tone="ok">{told}</Notice>);
}

/** Operators see the keys of one account; `/keys` alone names none. */
async function list(call: AnyCall): Promise<PageAnswer> {
  const { api, viewer, shell, params, query } = call;
  if (viewer.accountId === null && params.id === undefined) return redirect("/accounts");
  const { account, path, above } = await keysAt(call);
  const keys = await keyList(api, account, askedPart(query));
  const of = account === "" ? null : { account, above };
  const mayChange = roleMay(viewer.role, "keys.change");
  return document(<KeysPage shell={shell(placeOf(call))} view={{ of, path, keys, mayChange }} />);
}

export function keysPages(deps: KeysPagesDeps) {
  const action = "keys.change";
  return [
    page({ method: "GET", path: "/keys", action: "keys.read", answer: list }),
    page({ method: "GET", path: "/accounts/:id/keys", action: "accounts.read", answer: list }),
    ...(["/keys", "/accounts/:id/keys"] as const).flatMap((path) => [
      page({ method: "GET", path: `${path}/new`, action, answer: async (call) => document(await newForm(call, deps)) }),
      page({ method: "POST", path: `${path}/new`, action, answer: (call) => make(call, deps) }),
      page({
        method: "GET",
        path: `${path}/:key/change`,
        action,
        answer: async (call) => document(await changeForm(call, deps)),
      }),
      page({ method: "POST", path: `${path}/:key/change`, action, answer: (call) => change(call, deps) }),
      page({ method: "GET", path: `${path}/:key/rotate`, action, answer: (call) => ask(call, "rotate") }),
      page({ method: "POST", path: `${path}/:key/rotate`, action, answer: (call) => rotate(call, deps) }),
      page({ method: "GET", path: `${path}/:key/revoke`, action, answer: (call) => ask(call, "revoke") }),
      page({ method: "POST", path: `${path}/:key/revoke`, action, answer: revoke }),
    ]),
  ];
}
