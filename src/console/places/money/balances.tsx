/** Who owes what: every account that is charged, with its balance. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Figures } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { Name } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { moneyText } from "./money.tsx";
import { moneyWords } from "./words.ts";

type Balances = AnswerOf<"GET /balances">;
type AccountBalance = Balances["rows"][number];

export function BalancesPage({ list, sums }: Pick<Balances, "sums"> & { list: ListPart<AccountBalance> }) {
  const { words, format, say } = useLocale(moneyWords);
  const amount = (value: number) => format.figure(value, list.rows[0]?.currency ?? "");
  return (
    <CollectionPage
      title={words.places.money}
      lead={say.lead}
      create={useMay("prices.change") ? { href: "/prices", label: say.charge } : null}
      empty={{ icon: "money", title: say.nobodyTitle, words: say.nobody, command: "peyk price assign --help" }}
      columns={useColumns(list.rows)}
      list={list}
      keyOf={({ account }) => account}
      above={
        list.rows.length === 0 ? null : (
          <Figures
            figures={[
              { label: say.left, ...amount(sums.left) },
              { label: say.owed, ...amount(sums.owed), ...(sums.owed > 0 && { tone: "bad" }) },
              { label: words.terms.held, ...amount(sums.reserved), note: say.heldNote },
            ]}
          />
        )
      }
    />
  );
}

/** An installation has one currency. */
function useColumns(rows: readonly AccountBalance[]): readonly Column<AccountBalance>[] {
  const currency = rows[0]?.currency ?? "";
  const locale = useLocale(moneyWords);
  const { words, format, say } = locale;
  const money = (head: string, of: (row: AccountBalance) => number | null): Column<AccountBalance>[] => {
    const cell = (row: AccountBalance) => {
      const amount = of(row);
      return amount === null ? null : moneyText(amount, currency, locale);
    };
    const column = { head: say.inCurrency(head, format.currencyName(currency)), figure: true, cell } as const;
    return rows.some((row) => of(row) !== null) ? [{ ...column, phone: "word", named: true }] : [];
  };
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
    ...money(say.owed, ({ settled }) => (settled < 0 ? -settled : null)),
    ...money(words.terms.balance, ({ settled }) => (settled < 0 ? null : settled)),
    ...money(words.terms.held, ({ reserved }) => (reserved === 0 ? null : reserved)),
    ...money(say.left, ({ available, billing }) => (billing === "prepaid" ? available : null)),
  ];
}
