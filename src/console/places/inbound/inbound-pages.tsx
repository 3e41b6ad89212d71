/** Messages from phones, the lines that receive them, and the simulated phone. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { accountOptions, filteredAccount, resolveAccount } from "../../page/accounts-and-senders.ts";
import { askedList } from "../../page/list-part.ts";
import { document, type PageCall, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { InboundMessagePage, InboundPage } from "./inbound.tsx";
import { inboundHref, inboundMessage, inboundNamed, inboundQueryOf, inboundSearch } from "./inbound-view.ts";
import { LinesPage } from "./lines.tsx";
import { PhonePage } from "./phone.tsx";
import { rulesPages } from "./rules-pages.tsx";
import { linesWords, phoneWords } from "./words.ts";

const { shown, form, question } = usualPages("inbound", { read: "inbound.read", change: "accounts.change" });

const isCustomer = ({ viewer }: PageCall): boolean => viewer.accountId !== null;

const list = shown("/inbound", async (call) => {
  const { api, locale, query } = call;
  const asked = inboundQueryOf(query);
  const named = await inboundNamed(api, asked.q);
  if (named !== null) return redirect(`/inbound/${named}`);
  const sources = { api, locale, isCustomer: isCustomer(call) };
  const { id, wrong } = sources.isCustomer ? { id: asked.account } : await filteredAccount(api, asked.account, locale);
  // An account typed by name is put into the address by its id, which all further links use.
  if (wrong === undefined && id !== asked.account) return redirect(inboundHref({ ...asked, account: id }));
  const found = await inboundSearch(sources, { ...asked, account: id }, query.get("before") ?? "", wrong);
  return document(<InboundPage {...found} />, wrong === undefined ? 200 : 422);
});

const message = shown("/inbound/:code", async (call) => (
  <InboundMessagePage message={await inboundMessage(call.api, call.params.code, isCustomer(call))} />
));

const linesPath = "/inbound/lines";
const lineWords = ({ locale }: PageCall) => linesWords[locale.language];

const lines = form(linesPath, {
  opens: "inbound.read",
  async load(call) {
    const { api, query, viewer } = call;
    const [found, accounts] = await Promise.all([
      askedList(query, (range) => api("GET /lines", range)),
      roleMay(viewer.role, "accounts.change") ? accountOptions(api, isCustomer(call)) : [],
    ]);
    // The address may name the number, coming from a message that belongs to nobody.
    return { lines: found, accounts, texts: { number: query.get("number") ?? "", account: "" } };
  },
  View: LinesPage,
  typed(call) {
    const texts = { number: call.form.text("number"), account: call.form.text("account") };
    return { texts, ...(texts.number === "" && { errors: { number: lineWords(call).noNumber } }) };
  },
  async run(call, { texts }) {
    const { api, locale } = call;
    const account = await resolveAccount(api, texts.account, locale);
    const { madeAvailable } = await api("POST /lines", { ...texts, account });
    return done(linesPath, lineWords(call).added(locale.format.count(madeAvailable)));
  },
  refusedAt: { line_exists: "number" },
});

const removal = question("/inbound/lines/:number/remove", {
  async ask(call) {
    const { number } = call.params;
    await call.api("GET /lines/:number", { number });
    return { words: lineWords(call).removing, name: number, back: linesPath };
  },
  async run(call) {
    const { number } = call.params;
    await call.api("DELETE /lines/:number", { number });
    return done(linesPath, lineWords(call).removed(number));
  },
});

const phone = form("/inbound/phone", {
  action: "simulator.use",
  opens: "simulator.read",
  async load({ api, query }) {
    const filled = (name: string): string => query.get(name) ?? "";
    return { received: await api("GET /simulator/inbox"), texts: { from: filled("from"), to: filled("to"), text: "" } };
  },
  View: PhonePage,
  typed({ form: posted, locale }) {
    const texts = { from: posted.text("from"), to: posted.text("to"), text: posted.raw("text") };
    const { error } = phoneWords[locale.language];
    const errors = {
      ...(texts.from === "" && { from: error.from }),
      ...(texts.to === "" && { to: error.to }),
      ...(texts.text.trim() === "" && { text: error.text }),
    };
    return { texts, errors };
  },
  async run({ api, locale }, { texts: { from, to, text } }) {
    const { trackingCode } = await api("POST /inbound/simulate", { from, to, message: text });
    return done(`/inbound/${trackingCode}`, phoneWords[locale.language].sent);
  },
  refused(reason, { locale }) {
    const { error } = phoneWords[locale.language];
    if (!(reason instanceof OperatorError)) throw reason;
    if (reason.code === "invalid") return { to: error.to };
    if (reason.code === "route_not_found") return { to: error.noRoute };
    throw reason;
  },
});

export const inboundPages = [list, ...phone, ...lines, ...removal, ...rulesPages, message];
