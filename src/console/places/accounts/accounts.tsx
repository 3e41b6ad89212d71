/** The list of accounts, and the form for a new one. */
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ShortFormPage } from "../../components/form-page.tsx";
import { controlsOf, type FormState, TextField } from "../../components/forms.tsx";
import { Name, Phone } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { useLocale } from "../../locale.ts";
import type { UsedAccount } from "./accounts-view.ts";
import { accountsWords } from "./words.ts";

export function AccountsPage({ accounts }: { accounts: ListPart<UsedAccount> }) {
  const { words, format, say } = useLocale(accountsWords);
  const command = "peyk account create --name 'Example'";
  return (
    <CollectionPage
      title={words.places.accounts}
      lead={accounts.all === 0 ? say.lead : `${say.lead} ${words.months[format.calendar]}`}
      create={useMay("accounts.change") ? { href: "/accounts/new", label: say.create } : null}
      empty={{ icon: "account", title: say.emptyTitle, words: say.empty, command }}
      columns={useColumns()}
      list={accounts}
      keyOf={({ id }) => id}
    />
  );
}

/** Beyond this they are only counted. */
const sendersShown = 3;

function useColumns(): readonly Column<UsedAccount>[] {
  const { words, format, say } = useLocale(accountsWords);
  const nameOf = ({ id, name }: UsedAccount) => (
    <RowLink href={`/accounts/${id}`}>
      <Name>{name}</Name>
    </RowLink>
  );
  const sendersOf = ({ senders }: UsedAccount) => (
    <>
      {senders.slice(0, sendersShown).map((sender, index) => (
        <span key={sender}>
          {index === 0 ? null : " · "}
          <Phone number={sender} />
        </span>
      ))}{" "}
      {senders.length > sendersShown ? say.more(format.count(senders.length - sendersShown)) : null}
    </>
  );
  const deliveredOf = ({ deliveredRatio: ratio }: UsedAccount) =>
    ratio === null ? words.charts.unknown : format.percent(ratio);
  const figure = { phone: "word", named: true, figure: true } as const;
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    { head: words.terms.senders, phone: "line", cell: sendersOf },
    { head: words.charts.lastDay, phone: "line", cell: ({ hours }) => <Sparkline hours={hours} /> },
    { head: words.terms.thisMonth, ...figure, cell: ({ messagesThisMonth }) => format.number(messagesThisMonth) },
    { head: words.terms.delivered, ...figure, cell: deliveredOf },
  ];
}

export function NewAccountPage({ texts, errors }: FormState<"name">) {
  const { words, say } = useLocale(accountsWords);
  const name = { ...controlsOf(texts, errors)("name"), label: words.terms.name, hint: say.nameHint };
  const above = { title: words.places.accounts, href: "/accounts" };
  return (
    <ShortFormPage title={say.create} above={above} errors={errors} submit={say.create}>
      <TextField {...name} />
    </ShortFormPage>
  );
}
