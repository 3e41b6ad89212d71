/** All accounts charged by a price list. */
import type { BillingAnswer } from "../../../operator/prices.ts";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { Name } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { accountsWords } from "../accounts/words.ts";
import { EndUse, pricesHref } from "./price-list.tsx";
import { pricesWords } from "./words.ts";

interface ChargedAccount {
  id: string;
  name: string;
  billing: BillingAnswer["billing"];
}

export interface ChargedAccountsView {
  /** The list's name. */
  list: string;
  accounts: ListPart<ChargedAccount>;
}

export function ChargedAccountsPage({ shell, view: { list, accounts } }: { shell: Shell; view: ChargedAccountsView }) {
  const locale = useLocale();
  const title = locale.words.places.accounts;
  return (
    <PageLayout shell={shell} title={title} above={{ title: list, href: pricesHref(list) }}>
      <ListedRecords
        path={pricesHref(list, "/accounts")}
        title={title}
        list={accounts}
        columns={columnsOf(locale, list)}
        keyOf={({ id }) => id}
      >
        <p class="card-words muted">{pricesWords[locale.language].nobody}</p>
      </ListedRecords>
    </PageLayout>
  );
}

function columnsOf({ language, words }: Locale, list: string): readonly Column<ChargedAccount>[] {
  const say = pricesWords[language];
  return [
    {
      head: accountsWords[language].head.name,
      phone: "title",
      cell: ({ id, name }) => (
        <RowLink href={`/accounts/${id}`}>
          <Name>{name}</Name>
        </RowLink>
      ),
    },
    { head: say.mode, phone: "aside", cell: ({ billing }) => (billing === "free" ? say.free : say.modes[billing]) },
    {
      head: words.lists.actions,
      phone: "line",
      buttons: true,
      cell: ({ id }) => <EndUse list={list} field="account" value={id} label={say.free} />,
    },
  ];
}
