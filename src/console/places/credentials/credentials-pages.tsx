/** Credentials, of all accounts for operators and of their own for customers: who is bound, create, renew, revoke. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors, Option } from "../../components/forms.tsx";
import { readForForm } from "../../components/listed-field.tsx";
import { accountNames } from "../../page/accounts-and-senders.ts";
import { document, formAgain, madePage, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusalSentence, refusedFields } from "../../page/refusal.ts";
import {
  CredentialChangePage,
  CredentialFormPage,
  type CredentialTexts,
  formKinds,
  formTraffics,
  type OptionTexts,
} from "./credential-form.tsx";
import { chosen, dropInInput, kannelInput, noTexts, optionNumber, smppInput, textsOf } from "./credential-input.ts";
import { CredentialPage, CredentialsPage, IssuedCredentialPage } from "./credentials.tsx";
import { credentialList, oneCredential } from "./credentials-view.ts";
import { credentialsWords } from "./words.ts";

type IdCall = PageCall<{ readonly id: string }>;

const mayChange = ({ viewer }: PageCall) => roleMay(viewer.role, "keys.change");

/** Active keys; for staff with their account, and no more than a form reads. */
async function keyOptions({ api, viewer }: PageCall): Promise<Option[]> {
  const isOwn = viewer.accountId !== null;
  const { rows } = await api("GET /keys", { limit: isOwn ? 500 : readForForm });
  const active = rows.filter(({ status }) => status === "active");
  if (isOwn) return active.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }));
  const names = await accountNames(
    api,
    active.map(({ account }) => account),
  );
  const options = active.map(({ id, name, account }) => ({
    value: id,
    label: `${names.get(account) ?? account} · ${name} (${id})`,
  }));
  return [{ value: "", label: "–" }, ...options];
}

async function form(call: PageCall, texts: CredentialTexts = noTexts, errors: FieldErrors = {}) {
  const view = { texts, errors, keys: await keyOptions(call), isCustomer: isCustomer(call) };
  return <CredentialFormPage shell={call.shell("credentials")} view={view} />;
}

/** Of the fields that `texts` has; a list keeps its lines. */
function typed<Texts extends Readonly<Record<keyof Texts, string>>>({ form }: PageCall, texts: Texts): Texts {
  const read = (name: string) => (name === "callbackOrigins" ? form.raw(name) : form.text(name));
  return { ...texts, ...Object.fromEntries(Object.keys(texts).map((name) => [name, read(name)])) };
}

const isCustomer = ({ viewer }: PageCall) => viewer.accountId !== null;

async function make(call: PageCall): Promise<PageAnswer> {
  const texts = typed(call, noTexts);
  const { key, kind: kindText, name } = texts;
  const kind = chosen(formKinds, kindText) ?? "smpp";
  const traffic = chosen(formTraffics, texts.traffic);
  // Suppression and quiet hours depend on it, so there is no default.
  if (traffic === undefined) {
    const errors = { traffic: credentialsWords[call.locale.language].trafficWanted };
    return formAgain(await form(call, texts, errors));
  }
  const password = call.form.raw("password");
  const dropIn = { ...dropInInput(texts, isCustomer(call)), ...(password !== "" && { password }) };
  try {
    const ofKannel = kind === "kannel" ? kannelInput(texts, call.locale) : {};
    const issued = await call.api("POST /credentials", {
      key,
      kind,
      name: name === "" ? undefined : name,
      traffic,
      rate: optionNumber(texts.rate),
      ...(kind === "smpp"
        ? smppInput(texts, call.locale)
        : { ...dropIn, ...ofKannel, requestKey: dropIn.requestKey ?? undefined }),
    });
    return madePage(<IssuedCredentialPage shell={call.shell("credentials")} issued={issued} />, "/credentials");
  } catch (reason) {
    return formAgain(await form(call, texts, errorsOf(reason, call)));
  }
}

function errorsOf(reason: unknown, { locale }: PageCall): FieldErrors {
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "credential_exists" || reason.code === "credential_limit_reached")
    return { name: refusalSentence(reason, locale) };
  if (reason.code === "key_not_found") return { key: credentialsWords[locale.language].keyGone };
  const { repeats, ...errors } = refusedFields(reason, locale);
  return repeats === undefined ? errors : { ...errors, repeatsTag: credentialsWords[locale.language].repeatsTagHint };
}

async function changeForm(call: IdCall, texts?: OptionTexts, errors: FieldErrors = {}) {
  const credential = await call.api("GET /credentials/:id", { id: call.params.id });
  const { id, name, kind } = credential;
  const view = {
    id,
    name,
    kind,
    texts: texts ?? textsOf(credential, call.locale),
    errors,
    isCustomer: isCustomer(call),
  };
  return <CredentialChangePage shell={call.shell("credentials")} view={view} />;
}

async function change(call: IdCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const { kind, name } = await api("GET /credentials/:id", { id: params.id });
  const texts: OptionTexts = typed(call, noTexts);
  const ofDropIn = kind === "smpp" || kind === "intake" ? {} : dropInInput(texts, isCustomer(call));
  const ofKind = {
    ...(kind === "smpp" ? smppInput(texts, locale) : ofDropIn),
    ...(kind === "kannel" && kannelInput(texts, locale)),
  };
  try {
    const rate = optionNumber(texts.rate) ?? null;
    await api("PATCH /credentials/:id", { id: params.id, rate, ...ofKind });
  } catch (reason) {
    return formAgain(await changeForm(call, texts, errorsOf(reason, call)));
  }
  const said = credentialsWords[locale.language].changed(name);
  return redirect(`/credentials/${params.id}`, <Notice tone="ok">{said}</Notice>);
}

async function ask(call: IdCall, what: "rotate" | "revoke"): Promise<PageAnswer> {
  const say = credentialsWords[call.locale.language];
  const { id, name } = await call.api("GET /credentials/:id", { id: call.params.id });
  const words =
    what === "rotate"
      ? { question: say.rotateAsk(name), goes: [say.rotateGoes], stays: [say.rotateStays], doIt: say.rotateDo }
      : { question: say.revokeAsk(name), goes: [say.revokeGoes], stays: [say.revokeStays], doIt: say.revokeDo(name) };
  const { keep } = call.locale.words.confirm;
  const view = { ...words, action: `/credentials/${id}/${what}`, keep, back: `/credentials/${id}` };
  return document(<ConfirmPage shell={call.shell("credentials")} view={view} />);
}

async function rotate(call: IdCall): Promise<PageAnswer> {
  const issued = await call.api("POST /credentials/:id/rotate", { id: call.params.id });
  return madePage(<IssuedCredentialPage shell={call.shell("credentials")} issued={issued} />, "/credentials");
}

async function revoke({ api, params: { id }, locale }: IdCall): Promise<PageAnswer> {
  const { name } = await api("POST /credentials/:id/revoke", { id });
  return redirect("/credentials", <Notice tone="ok">{credentialsWords[locale.language].revoked(name)}</Notice>);
}

const reading = "keys.read";
const changing = "keys.change";

export const credentialsPages = [
  page({
    method: "GET",
    path: "/credentials",
    action: reading,
    answer: async (call) => {
      const list = await credentialList(call);
      return document(<CredentialsPage shell={call.shell("credentials")} list={list} mayChange={mayChange(call)} />);
    },
  }),
  page({
    method: "GET",
    path: "/credentials/new",
    action: changing,
    answer: async (call) => document(await form(call)),
  }),
  page({ method: "POST", path: "/credentials/new", action: changing, answer: make }),
  page({
    method: "GET",
    path: "/credentials/:id",
    action: reading,
    answer: async (call) => {
      const view = await oneCredential(call, call.params.id);
      return document(<CredentialPage shell={call.shell("credentials")} view={view} mayChange={mayChange(call)} />);
    },
  }),
  page({
    method: "GET",
    path: "/credentials/:id/change",
    action: changing,
    answer: async (call) => document(await changeForm(call)),
  }),
  page({ method: "POST", path: "/credentials/:id/change", action: changing, answer: change }),
  page({
    method: "GET",
    path: "/credentials/:id/rotate",
    action: changing,
    answer: (call) => ask(call, "rotate"),
  }),
  page({ method: "POST", path: "/credentials/:id/rotate", action: changing, answer: rotate }),
  page({
    method: "GET",
    path: "/credentials/:id/revoke",
    action: changing,
    answer: (call) => ask(call, "revoke"),
  }),
  page({ method: "POST", path: "/credentials/:id/revoke", action: changing, answer: revoke }),
];
