/**
 * Price lists, for operators: viewing, setting single prices or importing a file, and assigning them to accounts and
 * routes.
 */
import { accountNames, accountOptions } from "../../page/accounts-and-senders.ts";
import { askedList, askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import type { PageCall } from "../../page/page.ts";
import { again, done, isRefused, notDone, usualPages } from "../../page/usual-pages.tsx";
import { ChargedAccountsPage } from "./charged-accounts.tsx";
import type { MessageCostForm } from "./message-cost.tsx";
import { PriceHistoryPage, priceHistory } from "./price-history.tsx";
import type { ImportForm } from "./price-import-form.tsx";
import { noPrice, noUse, refusedPrice, setPrice, usePrices } from "./price-input.ts";
import { endedPrice, type PriceForm, PriceListPage, pricesHref, type UseForm } from "./price-list.tsx";
import { PricesPage } from "./prices.tsx";
import { pricesWords } from "./words.ts";

type ListCall = PageCall<{ readonly list: string }>;

/** The accounts charged by a list; a separate page has all of them. */
const chargedShown = 20;

const wordsOf = ({ locale }: PageCall) => pricesWords[locale.language];

export const pricesKit = usualPages("system", { read: "prices.read", change: "prices.change" });
const { shown, part, question, button } = pricesKit;

const noImport: ImportForm = { texts: { name: "" }, wrong: null, errors: {} };
const unusedPrice: PriceForm = { texts: noPrice, errors: {} };
const unused: UseForm = { texts: noUse, errors: {} };
const noCost: MessageCostForm = { texts: { recipient: "", text: "" }, answer: null, errors: {} };

/** All lists, with what was typed into one of the page's forms. */
export async function listsPage({ api }: PageCall, typed: { price?: PriceForm; file?: ImportForm } = {}) {
  const { price = unusedPrice, file = noImport } = typed;
  return <PricesPage lists={await api("GET /prices")} price={price} file={file} />;
}

/** One list, with what was typed into one of the page's forms. */
async function listPage(
  { api, params, query }: ListCall,
  typed: { price?: PriceForm; use?: UseForm; cost?: MessageCostForm } = {},
) {
  const { price = unusedPrice, use = unused, cost = noCost } = typed;
  const asked = askedPart(query);
  const [{ list, ...found }, accounts, routes] = await Promise.all([
    api("GET /prices/:list/lines", { list: params.list, ...rangeOf(asked) }),
    accountOptions(api),
    api("GET /routes"),
  ]);
  const charged = list.accounts.slice(0, chargedShown);
  const ids = charged.map(({ account }) => account);
  const names = await accountNames(api, ids);
  return (
    <PriceListPage {...{ list, charged, names, accounts, routes, price, use, cost }} lines={shownPart(found, asked)} />
  );
}

const endOf = ({ query }: PageCall) => ({ prefix: query.get("prefix") ?? "", from: query.get("from") });

const ending = question("/prices/:list/end", {
  ask(call) {
    const { list } = call.params;
    const { prefix, from } = endOf(call);
    const { ending, everyNumber } = wordsOf(call);
    const question = ending.question(prefix === "*" ? everyNumber : prefix, list);
    const goes = from === null ? ending.goes : ending.laterGoes(call.locale.format.date(Date.parse(from)));
    const action = pricesHref(list, `/end?${endedPrice(prefix, from)}`);
    return { words: { ...ending, question, goes }, action, back: pricesHref(list) };
  },
  async run(call) {
    const { list } = call.params;
    const { prefix, from } = endOf(call);
    const say = wordsOf(call);
    const ended = { list, prefix, listed: false, ...(from !== null && { from }) };
    const isNeeded = await isRefused(call.api("DELETE /prices/:list/lines/:prefix", ended), "price_list_charges");
    return isNeeded ? notDone(pricesHref(list), say.needed) : done(pricesHref(list), say.ended);
  },
});

const forms = [
  part("/prices/-set", {
    formAt: () => ({ page: "/prices?open=set" }),
    load: () => ({ texts: noPrice }),
    page: (call, price) => listsPage(call, { price }),
    async run(call, { texts }) {
      if (texts.list === "") return again({ errors: { list: wordsOf(call).nameHint } });
      await setPrice(call, texts.list, texts);
      return done(pricesHref(texts.list), wordsOf(call).written);
    },
    refused: refusedPrice,
  }),
  part("/prices/:list/set", {
    formAt: ({ path }) => ({ page: `${path.replace(/\/set$/, "")}?open=set` }),
    load: () => ({ texts: noPrice }),
    page: (call, price) => listPage(call, { price }),
    async run(call, { texts }) {
      await setPrice(call, call.params.list, texts);
      return done(pricesHref(call.params.list), wordsOf(call).written);
    },
    refused: refusedPrice,
  }),
  part("/prices/:list/assign", {
    load: () => ({ texts: noUse }),
    page: (call, use) => listPage(call, { use }),
    async run(call, { texts }) {
      await usePrices(call, call.params.list, texts);
      return done(pricesHref(call.params.list), wordsOf(call).assigned);
    },
    refusedAt: { price_list_incomplete: "account" },
  }),
  part("/prices/:list/cost", {
    action: "prices.read",
    load: () => noCost,
    page: (call, cost) => listPage(call, { cost }),
    typed: ({ form }) => ({ texts: { recipient: form.text("recipient"), text: form.raw("text") } }),
    async run({ api, params: { list } }, { texts }) {
      return again({ answer: await api("GET /prices/:list/cost", { list, ...texts }) });
    },
  }),
];

export const pricesPages = [
  shown("/prices", (call) => listsPage(call)),
  shown("/prices/:list", (call) => listPage(call)),
  shown("/prices/:list/accounts", async ({ api, params: { list }, query }) => {
    const accounts = await askedList(query, (range) => api("GET /accounts", { ...range, priceList: list }));
    return <ChargedAccountsPage list={list} accounts={accounts} />;
  }),
  shown("/prices/:list/history/:prefix", async ({ api, params: { list, prefix } }) => (
    <PriceHistoryPage {...(await priceHistory(api, list, prefix))} />
  )),
  ...forms,
  ...ending,
  button("/prices/:list/unassign", async (call) => {
    const { api, params, form } = call;
    const route = form.text("route");
    if (route !== "") await api("DELETE /routes/:name/costs", { name: route });
    else await api("DELETE /accounts/:id/billing", { id: form.text("account") });
    return done(pricesHref(params.list), wordsOf(call).unassigned);
  }),
];
