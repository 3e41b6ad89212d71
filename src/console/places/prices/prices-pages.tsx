/**
 * Price lists, for operators: viewing, setting single prices or importing a file, and assigning them to accounts and
 * routes.
 */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { billingModes } from "../../../store/schema.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput, parseMoment } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { accountNames, accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields, UnknownAccount } from "../../page/refusal.ts";
import { ChargedAccountsPage } from "./charged-accounts.tsx";
import type { MessageCostView } from "./message-cost.tsx";
import { PriceHistoryPage, priceHistory } from "./price-history.tsx";
import type { WrongPrices } from "./price-import-form.tsx";
import type { PriceFields, PriceUseFields } from "./price-list.tsx";
import { endQuestion, PriceListPage, pricesHref } from "./price-list.tsx";
import { PricesPage } from "./prices.tsx";
import { pricesWords } from "./words.ts";

/** The accounts charged by a list; a separate page has all of them. */
const chargedShown = 20;

interface TypedFirst {
  name?: string;
  errors?: FieldErrors;
  price?: typeof noPrice;
  wrong?: WrongPrices;
}

const noPrice = { fields: { list: "", prefix: "", price: "", from: "" }, errors: {} };

export async function pricesPage(call: PageCall, { name = "", errors = {}, price = noPrice, wrong }: TypedFirst = {}) {
  const { api, viewer, shell } = call;
  const lists = await api("GET /prices");
  const currency = lists[0]?.currency ?? null;
  const form = roleMay(viewer.role, "prices.change")
    ? { name, errors, price: { ...price, currency }, wrong: wrong ?? null }
    : null;
  return <PricesPage shell={shell("system")} view={{ lists, form }} />;
}

const doneNotice = (text: string) => <Notice tone="ok">{text}</Notice>;

const typedPrice = ({ form }: PageCall): PriceFields => ({
  list: form.text("list"),
  prefix: form.text("prefix"),
  price: form.text("price"),
  from: form.text("from"),
});

/** Imports into a list, which is created if necessary. */
async function setFirst(call: PageCall): Promise<PageAnswer> {
  const { api, locale } = call;
  const fields = typedPrice(call);
  const again = async (errors: FieldErrors) => formAgain(await pricesPage(call, { price: { fields, errors } }));
  if (fields.list === "") return again({ list: pricesWords[locale.language].nameHint });
  try {
    await setPrice(api, fields.list, fields, locale);
    return redirect(pricesHref(fields.list), doneNotice(pricesWords[locale.language].written));
  } catch (reason) {
    return again(refusedPrice(reason, locale));
  }
}

type ListCall = PageCall<{ readonly list: string }>;

interface Typed {
  price?: { fields: PriceFields; errors: FieldErrors };
  use?: { account: string; errors: FieldErrors };
  cost?: MessageCostView;
}

const noCost: MessageCostView = { fields: { recipient: "", text: "" }, errors: {}, answer: null };

async function listPage(call: ListCall, { price, use = { account: "", errors: {} }, cost = noCost }: Typed = {}) {
  const { api, params, query, shell } = call;
  const asked = askedPart(query);
  const [{ list, ...part }, accounts, routes] = await Promise.all([
    api("GET /prices/:list/lines", { list: params.list, ...rangeOf(asked) }),
    accountOptions(api),
    api("GET /routes"),
  ]);
  const charged = list.accounts.slice(0, chargedShown);
  const view = {
    list,
    charged,
    lines: shownPart(part, asked),
    accounts,
    names: await accountNames(
      api,
      charged.map(({ account }) => account),
    ),
    routes: routes.map(({ name }) => name),
    price: { ...(price ?? noPrice), currency: list.currency },
    use,
    cost,
  };
  return <PriceListPage shell={shell("system")} view={view} />;
}

async function chargedPage({ api, params: { list }, query, shell }: ListCall): Promise<PageAnswer> {
  const asked = askedPart(query);
  const part = await api("GET /accounts", { ...rangeOf(asked), priceList: list });
  const accounts = shownPart(part, asked);
  return document(<ChargedAccountsPage shell={shell("system")} view={{ list, accounts }} />);
}

async function askCost(call: ListCall): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  const fields = { recipient: form.text("recipient"), text: form.raw("text") };
  try {
    const answer = await api("GET /prices/:list/cost", { list: params.list, ...fields });
    return document(await listPage(call, { cost: { fields, errors: {}, answer } }));
  } catch (reason) {
    return formAgain(await listPage(call, { cost: { fields, errors: refusedFields(reason, locale), answer: null } }));
  }
}

type PriceCall = PageCall<{ readonly list: string; readonly prefix: string }>;

async function showHistory({ api, params: { list, prefix }, shell }: PriceCall): Promise<PageAnswer> {
  return document(<PriceHistoryPage shell={shell("system")} view={await priceHistory(api, list, prefix)} />);
}

async function set(call: ListCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const fields = typedPrice(call);
  try {
    await setPrice(api, params.list, fields, locale);
    return redirect(pricesHref(params.list), doneNotice(pricesWords[locale.language].written));
  } catch (reason) {
    return formAgain(await listPage(call, { price: { fields, errors: refusedPrice(reason, locale) } }));
  }
}

const endOf = ({ query }: PageCall) => ({ prefix: query.get("prefix") ?? "", from: query.get("from") });

function askEnd(call: ListCall): PageAnswer {
  const { prefix, from } = endOf(call);
  return document(
    <ConfirmPage shell={call.shell("system")} view={endQuestion(call.params.list, prefix, from, call.locale)} />,
  );
}

async function end(call: ListCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const { prefix, from } = endOf(call);
  const say = pricesWords[locale.language];
  try {
    const query = { listed: false, ...(from !== null && { from }) };
    await api("DELETE /prices/:list/lines/:prefix", { list: params.list, prefix, ...query });
    return redirect(pricesHref(params.list), doneNotice(say.ended));
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "price_list_charges") throw reason;
    return redirect(pricesHref(params.list), <Notice tone="bad">{say.needed}</Notice>);
  }
}

async function assign(call: ListCall): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  const fields = { account: form.text("account"), mode: form.text("mode"), route: form.text("route") };
  try {
    await usePrices(api, params.list, fields, locale);
    return redirect(pricesHref(params.list), doneNotice(pricesWords[locale.language].assigned));
  } catch (reason) {
    return formAgain(await listPage(call, { use: { account: fields.account, errors: refusedUse(reason, locale) } }));
  }
}

async function unassign({ api, params, form, locale }: ListCall): Promise<PageAnswer> {
  const route = form.text("route");
  if (route !== "") await api("DELETE /routes/:name/costs", { name: route });
  else await api("DELETE /accounts/:id/billing", { id: form.text("account") });
  return redirect(pricesHref(params.list), doneNotice(pricesWords[locale.language].unassigned));
}

const change = "prices.change";

export const pricesPages = [
  page({
    method: "GET",
    path: "/prices",
    action: "prices.read",
    answer: async (call) => document(await pricesPage(call)),
  }),
  page({ method: "POST", path: "/prices/-set", action: change, answer: setFirst }),
  page({
    method: "GET",
    path: "/prices/:list",
    action: "prices.read",
    answer: async (call) => document(await listPage(call)),
  }),
  page({ method: "GET", path: "/prices/:list/accounts", action: "prices.read", answer: chargedPage }),
  page({ method: "POST", path: "/prices/:list/cost", action: "prices.read", answer: askCost }),
  page({ method: "GET", path: "/prices/:list/history/:prefix", action: "prices.read", answer: showHistory }),
  page({ method: "POST", path: "/prices/:list/set", action: change, answer: set }),
  page({ method: "GET", path: "/prices/:list/end", action: change, answer: askEnd }),
  page({ method: "POST", path: "/prices/:list/end", action: change, answer: end }),
  page({ method: "POST", path: "/prices/:list/assign", action: change, answer: assign }),
  page({ method: "POST", path: "/prices/:list/unassign", action: change, answer: unassign }),
];

const modeOf = (text: string) => billingModes.find((mode) => mode === text);

/** Sets one price; an empty date means immediately. @throws OperatorError */
export async function setPrice(api: ConsoleApi, list: string, fields: PriceFields, locale: Locale): Promise<void> {
  const { prefix, price, from } = fields;
  const line = { prefix: cleanInput(prefix), price: cleanInput(price).replace(/[,٬\s]/g, "") };
  const written = { ...line, ...(from !== "" && { from: dayOf(from, locale) }) };
  await api("POST /prices/:list", { list, ...written, listed: false });
}

/** `2026-12-01` for a date in either calendar; anything else is passed on as typed, and refused. */
function dayOf(text: string, { format: { zone } }: Locale): string {
  const at = parseMoment(text, zone);
  if (at === null) return text;
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** @throws anything that is not a refusal of the form */
export function refusedPrice(reason: unknown, locale: Locale): FieldErrors {
  const prices = pricesWords[locale.language];
  const say = { ...prices.wrong, list: prices.nameHint };
  const fields = Object.keys(refusedFields(reason, locale));
  return Object.fromEntries(
    fields.map((field) => [field, Object.entries(say).find(([one]) => one === field)?.[1] ?? field]),
  );
}

/** Assigns the list to an account or a route. @throws OperatorError */
export async function usePrices(api: ConsoleApi, list: string, fields: PriceUseFields, locale: Locale) {
  const { account, mode, route } = fields;
  if (route !== "") return api("PUT /routes/:name/costs", { name: route, list });
  const id = await resolveAccount(api, account, locale);
  return api("PUT /accounts/:id/billing", { id, list, mode: modeOf(mode) ?? "prepaid" });
}

/** Errors about the list are attached to the account field. @throws anything that is not a refusal of the form */
export function refusedUse(reason: unknown, locale: Locale): FieldErrors {
  if (reason instanceof UnknownAccount) return refusedFields(reason, locale);
  if (!(reason instanceof OperatorError) || reason.code !== "price_list_incomplete") throw reason;
  return { account: pricesWords[locale.language].incomplete };
}
