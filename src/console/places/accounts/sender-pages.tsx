/** Senders: adding one with its routes, activating and deactivating, and changing routes. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import type { Locale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { askedPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusalSentence, refusedFields } from "../../page/refusal.ts";
import { senderList } from "./accounts-view.ts";
import { type SenderFields, SenderFormPage, type SenderFormView } from "./sender-form.tsx";
import { allSenders, postedSender, senderFieldsNow, senderFormView } from "./sender-form-view.ts";
import { AllSendersPage, SendersPage, sendersShown } from "./senders.tsx";
import { senderWords } from "./words.ts";

type AccountCall = PageCall<{ readonly id: string }>;

const pathOf = ({ params }: AccountCall): string => `/accounts/${params.id}`;
const mayChange = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "accounts.change");
const noFields: SenderFields = { sender: "", routes: [], plan: "" };

async function form(
  call: AccountCall,
  changed: SenderFormView["changed"],
  typed: { fields: SenderFields; errors: FieldErrors },
) {
  const view = await senderFormView(call.api, call.params.id, changed, typed);
  return <SenderFormPage shell={call.shell("accounts")} view={view} />;
}

/** Errors for the form's fields. @throws anything that is not a refusal of the form */
function refused(reason: unknown, locale: Locale): FieldErrors {
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "sender_exists") return { sender: refusalSentence(reason, locale) };
  if (reason.code === "route_not_found") return { routes: refusalSentence(reason, locale) };
  if (reason.code === "plan_not_found") return { plan: refusalSentence(reason, locale) };
  return refusedFields(reason, locale);
}

const planOf = ({ plan }: SenderFields) => (plan === "" ? null : plan);

async function add(call: AccountCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const fields = postedSender(call.form);
  const { sender, routes } = fields;
  try {
    await api("POST /accounts/:id/senders", { id: params.id, sender, routes: [...routes], plan: planOf(fields) });
    return redirect(pathOf(call), <Notice tone="ok">{senderWords[locale.language].added(sender)}</Notice>);
  } catch (reason) {
    return formAgain(await form(call, null, { fields, errors: refused(reason, locale) }));
  }
}

/** Without a sender of that name there is nothing to change. */
const notFound = () => new OperatorError("sender_not_found");

async function routesForm(call: AccountCall): Promise<PageAnswer> {
  const { api, params, query } = call;
  const fields = await senderFieldsNow(api, params.id, query.get("sender") ?? "");
  if (fields === null) throw notFound();
  return document(await form(call, { isOfAll: query.get("of") === "all" }, { fields, errors: {} }));
}

async function saveRoutes(call: AccountCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const fields = postedSender(call.form);
  const { sender, routes } = fields;
  const isOfAll = call.form.text("of") === "all";
  try {
    await api("PATCH /accounts/:id/senders/:sender", {
      id: params.id,
      sender,
      routes: [...routes],
      plan: planOf(fields),
    });
    const done = <Notice tone="ok">{senderWords[locale.language].changed(sender)}</Notice>;
    return redirect(isOfAll ? "/senders" : pathOf(call), done);
  } catch (reason) {
    return formAgain(await form(call, { isOfAll }, { fields, errors: refused(reason, locale) }));
  }
}

async function switched(call: AccountCall): Promise<PageAnswer> {
  const { id } = call.params;
  const active = call.form.text("active") === "yes";
  await call.api("PATCH /accounts/:id/senders/:sender", { id, sender: call.form.text("sender"), active });
  if (!call.form.has("part")) return redirect(pathOf(call));
  return redirect(`${pathOf(call)}/senders?${new URLSearchParams(call.form.text("part"))}`);
}

async function list(call: AccountCall): Promise<PageAnswer> {
  const { api, params, query, locale, shell } = call;
  const [{ id, name }, senders] = await Promise.all([
    namedAccount(api, params.id),
    senderList(api, params.id, { ...askedPart(query), rows: sendersShown }, locale),
  ]);
  const view = { account: { id, name }, senders, mayChange: mayChange(call) };
  return document(<SendersPage shell={shell("accounts")} view={view} />);
}

async function listAll(call: PageCall): Promise<PageAnswer> {
  const senders = await allSenders(call.api, { ...askedPart(call.query), rows: sendersShown });
  return document(<AllSendersPage shell={call.shell("routes")} senders={senders} mayChange={mayChange(call)} />);
}

const change = "accounts.change";

export const senderPages = [
  page({ method: "GET", path: "/senders", action: "routes.read", answer: listAll }),
  page({ method: "GET", path: "/accounts/:id/senders", action: "accounts.read", answer: list }),
  page({
    method: "GET",
    path: "/accounts/:id/senders/new",
    action: change,
    answer: async (call) => document(await form(call, null, { fields: noFields, errors: {} })),
  }),
  page({
    method: "POST",
    path: "/accounts/:id/senders",
    action: change,
    formAt: ({ path }) => ({ page: `${path}/new`, action: path }),
    answer: add,
  }),
  page({ method: "POST", path: "/accounts/:id/senders/switch", action: change, answer: switched }),
  page({ method: "GET", path: "/accounts/:id/senders/routes", action: change, answer: routesForm }),
  page({
    method: "POST",
    path: "/accounts/:id/senders/routes",
    action: change,
    formAt: ({ path, value }) => ({
      page: `${path}?${new URLSearchParams({ sender: value("sender"), of: value("of") })}`,
      action: path,
    }),
    answer: saveRoutes,
  }),
];
