/** Lines: the numbers that phones send to, and each one's account. */

import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, type Option, TextField } from "../../components/forms.tsx";
import { Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { inboundWords, linesWords } from "./words.ts";

type ListedLine = AnswerOf<"GET /lines">["rows"][number];

export interface LinesView {
  lines: ListPart<ListedLine>;
  /** For a customer, who has one account. */
  isOwn: boolean;
  /** Null for a reader who may only look. */
  form: { number: string; account: string; accounts: readonly Option[]; errors: FieldErrors } | null;
}

export function LinesPage({ shell, view }: { shell: Shell; view: LinesView }) {
  const locale = useLocale();
  const { language } = locale;
  const say = linesWords[language];
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      lead={say.lead}
      above={{ title: inboundWords[language].title, href: "/inbound" }}
    >
      <div class="stack">
        {view.form === null ? null : <AddLine form={view.form} />}
        <ListedRecords
          path={shell.path}
          title={say.title}
          list={view.lines}
          columns={columnsOf(locale, view.isOwn, view.form !== null)}
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

function AddLine({ form }: { form: NonNullable<LinesView["form"]> }) {
  const { language } = useLocale();
  const say = linesWords[language];
  return (
    <Card title={say.add}>
      <PostForm class="form" action="/inbound/lines">
        <ErrorSummary errors={form.errors} />
        <div class="form-row">
          <TextField
            name="number"
            label={say.number}
            hint={say.numberHint}
            error={form.errors.number}
            value={form.number}
            script="digits"
          />
          <AccountField label={say.account} error={form.errors.account} value={form.account} accounts={form.accounts} />
        </div>
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.doAdd}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

function columnsOf({ language }: Locale, isOwn: boolean, mayRemove: boolean): readonly Column<ListedLine>[] {
  const { head, remove } = linesWords[language];
  const columns: readonly Column<ListedLine>[] = [
    { head: head.number, phone: "title", cell: ({ number }) => <Phone number={number} /> },
    { head: head.account, phone: "line", cell: (line) => (isOwn ? null : <AccountLink line={line} />) },
    { head: head.since, phone: "word", named: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
    { head: remove, phone: "aside", buttons: true, cell: ({ number }) => <RemoveLink number={number} /> },
  ];
  return mayRemove ? columns : columns.slice(0, -1);
}

function AccountLink({ line: { account, accountName } }: { line: ListedLine }) {
  return (
    <a href={`/accounts/${account}`}>
      <Name>{accountName}</Name>
    </a>
  );
}

function RemoveLink({ number }: { number: string }) {
  const { language } = useLocale();
  return (
    <a
      class="button button-quiet button-small"
      href={`/inbound/lines/${encodeURIComponent(number)}/remove`}
      data-dialog=""
    >
      {linesWords[language].remove}
    </a>
  );
}
