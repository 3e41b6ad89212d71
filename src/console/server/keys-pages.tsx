/** Keys, of a customer's own account at `/keys` and of any account beneath it: make, renew, revoke. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import type { FieldErrors } from "../components/forms.tsx";
import { namedAccount } from "../data/accounts.ts";
import { activeSender, createKey, curlExample, keyList, newKeyFields } from "../data/keys.ts";
import { askedPart } from "../data/list-part.ts";
import { ConfirmPage } from "../pages/confirm.tsx";
import { IssuedKeyPage, type KeyFields, KeysPage, NewKeyPage } from "../pages/keys.tsx";
import { refusedFields } from "../pages/refusal.ts";
import { document, formAgain, madePage, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

export interface KeysPagesDeps {
  /** Where customers reach the public API. */
  apiUrl: string;
  /** Whether test keys can be made. */
  hasSandbox: boolean;
}

/** Where the keys of a page are: whose, and under which path. */
interface KeysAt {
  /** Empty for a customer's own. */
  account: string;
  path: string;
  above: { title: string; href: string };
}

type AnyCall = PageCall<{ readonly id?: string; readonly key?: string }>;

async function keysAt({ api, params: { id }, locale: { words } }: AnyCall): Promise<KeysAt> {
  if (id === undefined) return { account: "", path: "/keys", above: { title: words.keys.title, href: "/keys" } };
  const { id: account, name } = await namedAccount(api, id);
  return { account, path: `/accounts/${account}/keys`, above: { title: name, href: `/accounts/${account}` } };
}

const placeOf = ({ params }: AnyCall) => (params.id === undefined ? "keys" : "accounts");

async function newForm(
  call: AnyCall,
  { hasSandbox }: KeysPagesDeps,
  fields: KeyFields = newKeyFields,
  errors: FieldErrors = {},
) {
  const { path, above } = await keysAt(call);
  const view = { above, path, fields, errors, hasSandbox };
  return <NewKeyPage shell={call.shell(placeOf(call))} view={view} />;
}

function fieldsIn({ form }: AnyCall): KeyFields {
  return {
    name: form.text("name"),
    permissions: form.all("permissions"),
    rate: form.text("rate"),
    allowFrom: form.text("allowFrom"),
    isTest: form.has("test"),
  };
}

async function issued(call: AnyCall, deps: KeysPagesDeps, key: { name: string; account: string; apiKey: string }) {
  const { above } = await keysAt(call);
  const example = curlExample(deps.apiUrl, key.apiKey, await activeSender(call.api, key.account));
  const view = { name: key.name, above, secret: key.apiKey, example };
  return madePage(<IssuedKeyPage shell={call.shell(placeOf(call))} view={view} />, above.href);
}

async function make(call: AnyCall, deps: KeysPagesDeps): Promise<PageAnswer> {
  const fields = fieldsIn(call);
  const { account } = await keysAt(call);
  try {
    return await issued(call, deps, await createKey(call.api, account, fields));
  } catch (reason) {
    return formAgain(await newForm(call, deps, fields, refusedFields(reason, call.locale)));
  }
}

/** The key that the path names, where it is one of these. */
async function keyIn(call: AnyCall) {
  const { account } = await keysAt(call);
  const key = await call.api("GET /keys/:id", { id: call.params.key ?? "" });
  if (account !== "" && key.account !== account) throw new OperatorError("key_not_found");
  return key;
}

async function ask(call: AnyCall, what: "rotate" | "revoke"): Promise<PageAnswer> {
  const say = call.locale.words.keys;
  const [{ id, name }, { path, above }] = await Promise.all([keyIn(call), keysAt(call)]);
  const words =
    what === "rotate"
      ? { question: say.rotateAsk(name), goes: [say.rotateGoes], stays: [say.rotateStays], doIt: say.rotateDo }
      : { question: say.revokeAsk(name), goes: [say.revokeGoes], stays: [say.revokeStays], doIt: say.revokeDo(name) };
  const view = { ...words, action: `${path}/${id}/${what}`, keep: say.keep, back: above.href };
  return document(<ConfirmPage shell={call.shell(placeOf(call))} view={view} />);
}

async function rotate(call: AnyCall, deps: KeysPagesDeps): Promise<PageAnswer> {
  const { id } = await keyIn(call);
  return issued(call, deps, await call.api("POST /keys/:id/rotate", { id }));
}

async function revoke(call: AnyCall): Promise<PageAnswer> {
  const { id, name } = await keyIn(call);
  const { above } = await keysAt(call);
  await call.api("POST /keys/:id/revoke", { id });
  return redirect(above.href, <Notice tone="ok">{call.locale.words.keys.revoked(name)}</Notice>);
}

/** Of an operator's, those of an account; `/keys` alone names none. */
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
      page({ method: "GET", path: `${path}/:key/rotate`, action, answer: (call) => ask(call, "rotate") }),
      page({ method: "POST", path: `${path}/:key/rotate`, action, answer: (call) => rotate(call, deps) }),
      page({ method: "GET", path: `${path}/:key/revoke`, action, answer: (call) => ask(call, "revoke") }),
      page({ method: "POST", path: `${path}/:key/revoke`, action, answer: revoke }),
    ]),
  ];
}
