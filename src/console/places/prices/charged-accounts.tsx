/** All accounts charged by a price list. */
import type { BillingAnswer } from "../../../operator/prices.ts";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { Name } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { EndUse, pricesHref } from "./price-list.tsx";
import { pricesWords } from "./words.ts";

interface ChargedAccount {
  id: string;
  name: string;
  billing: BillingAnswer["billing"];
}

/** `list`: its name. */
export function ChargedAccountsPage({ list, accounts }: { list: string; accounts: ListPart<ChargedAccount> }) {
  const { words } = useLocale();
  const title = words.places.accounts;
  const path = pricesHref(list, "/accounts");
  return (
    <PageLayout title={title} above={{ title: list, href: pricesHref(list) }}>
      <ListedRecords {...{ path, title }} list={accounts} columns={useColumns(list)} keyOf={({ id }) => id}>
        <p class="card-words muted">{useWords(pricesWords).nobody}</p>
      </ListedRecords>
    </PageLayout>
  );
}

function useColumns(list: string): readonly Column<ChargedAccount>[] {
  const { words, say } = useLocale(pricesWords);
  const nameOf = ({ id, name }: ChargedAccount) => (
    <RowLink href={`/accounts/${id}`}>
      <Name>{name}</Name>
    </RowLink>
  );
  const endOf = ({ id }: ChargedAccount) => <EndUse list={list} field="account" value={id} label={say.free} />;
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: say.mode, phone: "aside", cell: ({ billing }) => (billing === "free" ? say.free : say.modes[billing]) },
    { head: words.lists.actions, phone: "line", buttons: true, cell: endOf },
  ];
}
