/** Messages from phones, the lines that receive them, and the simulated phone. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { filteredAccount, resolveAccount } from "../../page/accounts-and-senders.ts";
import { askedPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields, UnknownAccount } from "../../page/refusal.ts";
import { readByOf } from "../messages/message-state.ts";
import { InboundMessagePage, InboundPage } from "./inbound.tsx";
import {
  inboundHref,
  inboundMessageView,
  inboundNamed,
  inboundQueryOf,
  inboundView,
  linesView,
} from "./inbound-view.ts";
import { LinesPage } from "./lines.tsx";
import { type PhoneFields, PhonePage } from "./phone.tsx";
import { linesWords, phoneWords } from "./words.ts";

type LineCall = PageCall<{ readonly number: string }>;

const linesPath = "/inbound/lines";

export const inboundPages = [
  page({ method: "GET", path: "/inbound", action: "inbound.read", answer: showInbound }),
  page({ method: "GET", path: "/inbound/phone", action: "simulator.read", answer: showPhone }),
  page({ method: "POST", path: "/inbound/phone", action: "simulator.use", answer: sendFromPhone }),
  page({ method: "GET", path: linesPath, action: "inbound.read", answer: showLines }),
  page({ method: "POST", path: linesPath, action: "accounts.change", answer: addLine }),
  page({ method: "GET", path: "/inbound/lines/:number/remove", action: "accounts.change", answer: askRemove }),
  page({ method: "POST", path: "/inbound/lines/:number/remove", action: "accounts.change", answer: removeLine }),
  page({ method: "GET", path: "/inbound/:code", action: "inbound.read", answer: showInboundMessage }),
];

const sourcesOf = ({ api, locale, viewer }: PageCall) => ({ api, locale, readBy: readByOf(viewer) });
const mayUsePhone = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "simulator.use");
const mayChangeLines = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "accounts.change");

async function showInbound(call: PageCall): Promise<PageAnswer> {
  const asked = inboundQueryOf(call.query);
  const named = await inboundNamed(call.api, asked.q);
  if (named !== null) return redirect(`/inbound/${named}`);
  const sources = sourcesOf(call);
  const { id, wrong } =
    sources.readBy === "customer" ? { id: asked.account } : await filteredAccount(call.api, asked.account, call.locale);
  // An account typed by name is put into the address by its id, which all further links use.
  if (wrong === undefined && id !== asked.account) return redirect(inboundHref({ ...asked, account: id }));
  const before = call.query.get("before") ?? "";
  const view = await inboundView(sources, { ...asked, account: id }, before, mayUsePhone(call), wrong);
  return document(<InboundPage shell={call.shell("inbound")} view={view} />, wrong === undefined ? 200 : 422);
}

async function showInboundMessage(call: PageCall<{ readonly code: string }>): Promise<PageAnswer> {
  const may = { mayReply: roleMay(call.viewer.role, "messages.send"), mayAddLine: mayChangeLines(call) };
  const view = await inboundMessageView(sourcesOf(call), call.params.code, may);
  return document(<InboundMessagePage shell={call.shell("inbound")} view={view} />);
}

async function linesPage(call: PageCall, form: { number: string; account: string }, errors: FieldErrors = {}) {
  const view = await linesView(sourcesOf(call), askedPart(call.query), mayChangeLines(call) ? form : null, errors);
  return <LinesPage shell={call.shell("inbound")} view={view} />;
}

/** The address may name the number, coming from a message that belongs to nobody. */
async function showLines(call: PageCall): Promise<PageAnswer> {
  return document(await linesPage(call, { number: call.query.get("number") ?? "", account: "" }));
}

async function addLine(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const { language, format } = locale;
  const say = linesWords[language];
  const typed = { number: form.text("number"), account: form.text("account") };
  const wrong = async (number: string) => formAgain(await linesPage(call, typed, { number }));
  if (typed.number === "") return wrong(say.error.number);
  try {
    const account = await resolveAccount(api, typed.account, locale);
    const { madeAvailable } = await api("POST /lines", { ...typed, account });
    return redirect(linesPath, <Notice tone="ok">{say.added(format.count(madeAvailable))}</Notice>);
  } catch (reason) {
    if (reason instanceof UnknownAccount) return formAgain(await linesPage(call, typed, refusedFields(reason, locale)));
    if (!(reason instanceof OperatorError)) throw reason;
    if (reason.code === "invalid") return wrong(say.error.number);
    if (reason.code === "line_exists") return wrong(say.error.exists);
    throw reason;
  }
}

const removePath = (number: string): string => `${linesPath}/${encodeURIComponent(number)}/remove`;

async function askRemove({ api, params, locale, shell }: LineCall): Promise<PageAnswer> {
  await api("GET /lines/:number", { number: params.number });
  const say = linesWords[locale.language];
  const view = {
    question: say.removeAsk(params.number),
    goes: [say.removeGoes],
    stays: [say.removeStays],
    action: removePath(params.number),
    doIt: say.removeDo,
    keep: say.removeKeep,
    back: linesPath,
  };
  return document(<ConfirmPage shell={shell("inbound")} view={view} />);
}

async function removeLine({ api, params, locale }: LineCall): Promise<PageAnswer> {
  await api("DELETE /lines/:number", { number: params.number });
  return redirect(linesPath, <Notice tone="ok">{linesWords[locale.language].removed(params.number)}</Notice>);
}

async function phonePage({ api, shell }: PageCall, fields: PhoneFields, errors: FieldErrors = {}) {
  return <PhonePage shell={shell("inbound")} view={{ fields, errors, received: await api("GET /simulator/inbox") }} />;
}

async function showPhone(call: PageCall): Promise<PageAnswer> {
  const filled = (name: string): string => call.query.get(name) ?? "";
  return document(await phonePage(call, { from: filled("from"), to: filled("to"), text: "" }));
}

async function sendFromPhone(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const { error, sent } = phoneWords[locale.language];
  const fields = { from: form.text("from"), to: form.text("to"), text: form.raw("text") };
  const errors: FieldErrors = {
    ...(fields.from === "" && { from: error.from }),
    ...(fields.to === "" && { to: error.to }),
    ...(fields.text.trim() === "" && { text: error.text }),
  };
  if (Object.keys(errors).length > 0) return formAgain(await phonePage(call, fields, errors));
  try {
    const { trackingCode } = await api("POST /inbound/simulate", {
      from: fields.from,
      to: fields.to,
      message: fields.text,
    });
    return redirect(`/inbound/${trackingCode}`, <Notice tone="ok">{sent}</Notice>);
  } catch (reason) {
    if (!(reason instanceof OperatorError)) throw reason;
    if (reason.code === "invalid") return formAgain(await phonePage(call, fields, { to: error.to }));
    if (reason.code === "route_not_found") return formAgain(await phonePage(call, fields, { to: error.noRoute }));
    throw reason;
  }
}
