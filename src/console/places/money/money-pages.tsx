/** An account's money: for who runs the service below the account, for a customer its own. */
import { accountIdText } from "../../../domain/id-text.ts";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import { download, type PageCall } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { BalancesPage } from "./balances.tsx";
import { MoneyPage } from "./money.tsx";
import { type MoneyQuestion, moneyCsv, moneyView } from "./money-view.ts";

type AccountCall = PageCall<{ readonly id: string }>;

const { shown } = usualPages("money", { read: "usage.read", change: "accounts.change" });

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

async function money({ locale, viewer }: PageCall, question: MoneyQuestion) {
  return <MoneyPage view={await moneyView(question, locale.format.now)} issuer={viewer.service} />;
}

async function csv(_: PageCall, question: MoneyQuestion) {
  const { fileName, content } = await moneyCsv(question);
  return download(fileName, "text/csv; charset=utf-8", content);
}

async function balances({ api, query }: PageCall) {
  const asked = askedPart(query);
  const part = await api("GET /balances", rangeOf(asked));
  return <BalancesPage list={shownPart(part, asked)} sums={part.sums} />;
}

/** Whoever has no account of their own sees the balances of all. */
const ofOwn =
  <Answer,>(answer: (call: PageCall, question: MoneyQuestion) => Promise<Answer>) =>
  (call: PageCall) => {
    const question = own(call);
    return question === null ? balances(call) : answer(call, question);
  };

export const moneyPages = [
  shown("/accounts/:id/money", (call) => money(call, below(call)), "accounts.read"),
  shown("/accounts/:id/money.csv", (call) => csv(call, below(call)), "accounts.read"),
  shown("/money", ofOwn(money)),
  shown("/money.csv", ofOwn(csv)),
];
