/** Lines: the numbers that phones send to, and each one's account. */

import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import { FormButtons, LinkButton } from "../../components/buttons.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { controlsOf, ErrorSummary, type FormState, type Option, TextField } from "../../components/forms.tsx";
import { AccountLink, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { useIsCustomer, useMay, useShell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { rulesHref } from "./rules.tsx";
import { rulesWords } from "./rules-words.ts";
import { linesWords } from "./words.ts";

type ListedLine = AnswerOf<"GET /lines">["rows"][number];

interface LineForm extends FormState<"number" | "account"> {
  accounts: readonly Option[];
}

export function LinesPage({ lines, ...form }: LineForm & { lines: ListPart<ListedLine> }) {
  const { words, say } = useLocale(linesWords);
  const mayChange = useMay("accounts.change");
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.inbound, href: "/inbound" }}>
      <div class="stack">
        {mayChange ? <AddLine {...form} /> : null}
        <ListedRecords
          path={useShell().path}
          title={say.title}
          list={lines}
          columns={useColumns(mayChange)}
          keyOf={({ number }) => number}
        >
          <Empty icon="inbox" title={say.emptyTitle} command="peyk line add --number 30001234 --account acc_1">
            {say.empty}
          </Empty>
        </ListedRecords>
      </div>
    </PageLayout>
  );
}

function AddLine({ accounts, texts, errors }: LineForm) {
  const { words, say } = useLocale(linesWords);
  const control = controlsOf(texts, errors);
  return (
    <Card title={say.add}>
      <PostForm class="form" action="/inbound/lines">
        <ErrorSummary errors={errors} />
        <div class="form-row">
          <TextField {...control("number")} label={words.terms.number} hint={say.numberHint} script="digits" />
          <AccountField label={words.terms.account} error={errors.account} value={texts.account} accounts={accounts} />
        </div>
        <FormButtons label={say.doAdd} />
      </PostForm>
    </Card>
  );
}

function useColumns(mayRemove: boolean): readonly Column<ListedLine>[] {
  const { words, say } = useLocale(linesWords);
  const isOwn = useIsCustomer();
  const accountOf = ({ account, accountName }: ListedLine) =>
    isOwn ? null : <AccountLink id={account} name={accountName} />;
  const { link: rules } = useWords(rulesWords);
  const rulesOf = ({ number }: ListedLine) => (
    <LinkButton look="quiet small" href={rulesHref(number)} label={rules} described={`${rules}: ${number}`} />
  );
  const removal = ({ number }: ListedLine) => (
    <LinkButton
      look="quiet small"
      href={`/inbound/lines/${encodeURIComponent(number)}/remove`}
      label={say.remove}
      dialog
    />
  );
  const columns: readonly Column<ListedLine>[] = [
    { head: words.terms.number, phone: "title", cell: ({ number }) => <Phone number={number} /> },
    { head: words.terms.account, phone: "line", cell: accountOf },
    wordColumn(words.terms.since, ({ createdAt }) => <Time at={createdAt} as="date" />),
    { head: rules, phone: "aside", buttons: true, cell: rulesOf },
    { head: say.remove, phone: "aside", buttons: true, cell: removal },
  ];
  return mayRemove ? columns : columns.slice(0, -1);
}
