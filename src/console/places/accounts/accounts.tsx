/** The list of accounts, and the form for a new one. */

import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, TextField } from "../../components/forms.tsx";
import { Name, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import type { UsedAccount } from "./accounts-view.ts";
import { accountsWords } from "./words.ts";

interface AccountsProps {
  shell: Shell;
  accounts: ListPart<UsedAccount>;
  mayChange: boolean;
}

export function AccountsPage({ shell, accounts, mayChange }: AccountsProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = accountsWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.accounts}
      lead={say.lead}
      create={mayChange ? { href: "/accounts/new", label: say.create } : null}
      empty={{
        icon: "account",
        title: say.emptyTitle,
        words: say.empty,
        command: "peyk account create --name 'Example'",
      }}
      columns={columnsOf(locale)}
      list={accounts}
      keyOf={({ id }) => id}
    />
  );
}

/** Beyond this they are only counted. */
const sendersShown = 3;

function columnsOf({ language, words, format }: Locale): readonly Column<UsedAccount>[] {
  const { head, more } = accountsWords[language];
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ id, name }) => (
        <RowLink href={`/accounts/${id}`}>
          <Name>{name}</Name>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    {
      head: head.senders,
      phone: "line",
      cell: ({ senders }) => (
        <>
          {senders.slice(0, sendersShown).map((sender, index) => (
            <span key={sender}>
              {index === 0 ? null : " · "}
              <Phone number={sender} />
            </span>
          ))}{" "}
          {senders.length > sendersShown ? more(format.count(senders.length - sendersShown)) : null}
        </>
      ),
    },
    { head: words.charts.lastDay, phone: "line", cell: ({ hours }) => <Sparkline hours={hours} /> },
    {
      head: head.month,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ messagesThisMonth }) => format.number(messagesThisMonth),
    },
    {
      head: head.delivered,
      phone: "word",
      named: true,
      figure: true,
      cell: (one) => (one.deliveredRatio === null ? words.charts.unknown : format.percent(one.deliveredRatio)),
    },
  ];
}

export interface NewAccountView {
  name: string;
  errors: FieldErrors;
}

export function NewAccountPage({ shell, view }: { shell: Shell; view: NewAccountView }) {
  const { language, words } = useLocale();
  const say = accountsWords[language];
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.accounts, href: "/accounts" }}>
      <PostForm class="card form" action="/accounts/new">
        <ErrorSummary errors={view.errors} />
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          error={view.errors.name}
          value={view.name}
          size="medium"
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.create}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}
