/** An account's money: for who runs the service below the account, for a customer its own. */
import { accountIdText } from "../../../domain/id-text.ts";
import { roleMay } from "../../../domain/roles.ts";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import { document, download, type PageAnswer, type PageCall, page } from "../../page/page.ts";
import { BalancesPage } from "./balances.tsx";
import { MoneyPage } from "./money.tsx";
import { type MoneyQuestion, moneyCsv, moneyView } from "./money-view.ts";

type AccountCall = PageCall<{ readonly id: string }>;

const below = ({ api, query, params: { id } }: AccountCall): MoneyQuestion => ({
  api,
  query,
  id,
  path: `/accounts/${id}/money`,
  isCustomer: false,
});

/** Null for who has no account. */
function own({ api, query, viewer: { accountId } }: PageCall): MoneyQuestion | null {
  return accountId === null ? null : { api, query, id: accountIdText(accountId), path: "/money", isCustomer: true };
}

async function shown(call: PageCall, question: MoneyQuestion): Promise<PageAnswer> {
  const { shell, locale, viewer } = call;
  const may = { change: roleMay(viewer.role, "accounts.change"), charge: roleMay(viewer.role, "prices.change") };
  const view = await moneyView(question, locale.format.now);
  return document(<MoneyPage shell={shell("money")} view={view} issuer={viewer.service} may={may} />);
}

async function csv(question: MoneyQuestion): Promise<PageAnswer> {
  const { fileName, content } = await moneyCsv(question);
  return download(fileName, "text/csv; charset=utf-8", content);
}

async function balances({ api, query, shell, viewer }: PageCall): Promise<PageAnswer> {
  const asked = askedPart(query);
  const list = shownPart(await api("GET /balances", rangeOf(asked)), asked);
  const mayCharge = roleMay(viewer.role, "prices.change");
  return document(<BalancesPage shell={shell("money")} list={list} mayCharge={mayCharge} />);
}

/** Whoever has no account of their own sees the balances of all. */
const ofOwn =
  (answer: (call: PageCall, question: MoneyQuestion) => Promise<PageAnswer>) =>
  (call: PageCall): Promise<PageAnswer> => {
    const question = own(call);
    return question === null ? balances(call) : answer(call, question);
  };

export const moneyPages = [
  page({
    method: "GET",
    path: "/accounts/:id/money",
    action: "accounts.read",
    answer: (call) => shown(call, below(call)),
  }),
  page({ method: "GET", path: "/accounts/:id/money.csv", action: "accounts.read", answer: (call) => csv(below(call)) }),
  page({ method: "GET", path: "/money", action: "usage.read", answer: ofOwn(shown) }),
  page({ method: "GET", path: "/money.csv", action: "usage.read", answer: ofOwn((_, question) => csv(question)) }),
];
