/** Who owes what: every account that is charged, with its balance. */
import type { AnswerOf } from "../../../operator/client.ts";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { Name } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { moneyText } from "./money.tsx";
import { moneyWords } from "./words.ts";

type AccountBalance = AnswerOf<"GET /balances">["rows"][number];

export function BalancesPage({ list }: { list: ListPart<AccountBalance> }) {
  const { words, say } = useLocale(moneyWords);
  return (
    <CollectionPage
      title={words.places.money}
      lead={say.lead}
      create={useMay("prices.change") ? { href: "/prices", label: say.charge } : null}
      empty={{ icon: "money", title: say.nobodyTitle, words: say.nobody, command: "peyk price assign --help" }}
      columns={useColumns(list.rows[0]?.currency ?? "")}
      list={list}
      keyOf={({ account }) => account}
    />
  );
}

/** An installation has one currency. */
function useColumns(currency: string): readonly Column<AccountBalance>[] {
  const locale = useLocale(moneyWords);
  const { words, format, say } = locale;
  const money = (head: string, of: (row: AccountBalance) => number | null): Column<AccountBalance> => ({
    head: say.inCurrency(head, format.currencyName(currency)),
    phone: "word",
    named: true,
    figure: true,
    cell: (row) => {
      const amount = of(row);
      return amount === null ? null : moneyText(amount, currency, locale);
    },
  });
  return [
    {
      head: words.terms.account,
      phone: "title",
      cell: ({ account, name }) => (
        <RowLink href={`/accounts/${account}/money`}>
          <Name>{name}</Name>
        </RowLink>
      ),
    },
    { head: say.mode, phone: "aside", cell: ({ billing }) => say.billing[billing] },
    money(say.owed, ({ settled }) => (settled < 0 ? -settled : null)),
    money(words.terms.balance, ({ settled }) => (settled < 0 ? null : settled)),
    money(words.terms.held, ({ reserved }) => (reserved === 0 ? null : reserved)),
    money(say.left, ({ available, billing }) => (billing === "prepaid" ? available : null)),
  ];
}
