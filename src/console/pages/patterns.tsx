/** Approved texts whose variables an account fills in: the list, one of them, and a new one. */
import type { MessageEncoding } from "../../domain/message.ts";
import { Card, Facts } from "../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../components/collection.tsx";
import { ErrorSummary, type FieldErrors, type Option, TextArea, TextField } from "../components/forms.tsx";
import { Code, Name, Phone, TemplateText } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import { AccountField } from "../components/listed-field.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { Decide, type Decision, Decisions } from "./decisions.tsx";
import { type PatternSample, PatternSampleForm } from "./pattern-sample.tsx";

/** A text with every variable at its longest. */
export interface PatternSize {
  encoding: MessageEncoding;
  characters: number;
  parts: number;
}

export interface PatternListItem {
  code: string;
  name: string;
  /** Id and name; null for a customer, who has one. */
  account: { id: string; name: string } | null;
  state: Extract<PillState, "draft" | "approved" | "suspended">;
  text: string;
  parts: number;
}

/** `/patterns/welcome?account=acc_1`: two accounts may have one code. */
export function codeHref(
  base: string,
  { code, account }: Pick<PatternListItem, "code" | "account">,
  rest = "",
): string {
  const query = account === null ? "" : `?account=${account.id}`;
  return `${base}/${encodeURIComponent(code)}${rest}${query}`;
}

interface PatternsProps {
  shell: Shell;
  patterns: ListPart<PatternListItem>;
  mayChange: boolean;
}

export function PatternsPage({ shell, patterns, mayChange }: PatternsProps) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.patterns;
  return (
    <CollectionPage
      shell={shell}
      title={words.places.patterns}
      lead={say.lead}
      create={mayChange ? { href: "/patterns/new", label: say.create } : null}
      empty={{ icon: "pattern", title: say.emptyTitle, words: say.empty, command: "peyk pattern list" }}
      columns={columnsOf(locale, patterns.rows)}
      list={patterns}
      keyOf={({ code, account }) => `${account?.id} ${code}`}
    />
  );
}

function columnsOf({ words, format }: Locale, rows: readonly PatternListItem[]): readonly Column<PatternListItem>[] {
  const { head } = words.patterns;
  const account: Column<PatternListItem> = {
    head: head.account,
    phone: "word",
    cell: (pattern) => <Name>{pattern.account?.name ?? ""}</Name>,
  };
  return [
    {
      head: head.code,
      phone: "title",
      cell: (pattern) => (
        <RowLink href={codeHref("/patterns", pattern)}>
          <Code>{pattern.code}</Code>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    { head: head.text, phone: "line", cell: ({ text }) => <TemplateText text={text} clamp /> },
    ...(rows.some((row) => row.account !== null) ? [account] : []),
    { head: head.parts, phone: "word", named: true, figure: true, cell: ({ parts }) => format.number(parts) },
  ];
}

export interface PatternPageView extends PatternListItem {
  sender: string | null;
  variables: readonly { name: string; maxLength: number }[];
  latin: PatternSize;
  persian: PatternSize;
  templateId: string | null;
  decisions: readonly Decision[];
  sample: PatternSample;
}

interface PatternProps {
  shell: Shell;
  view: PatternPageView;
  mayApprove: boolean;
}

export function PatternPage({ shell, view, mayApprove }: PatternProps) {
  const { words, format } = useLocale();
  const say = words.patterns;
  const size = ({ encoding, characters, parts }: PatternSize) =>
    say.size(format.count(parts), format.count(characters), words.message.encoding[encoding]);
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.patterns, href: "/patterns" }}
      actions={
        mayApprove ? <Decide href={(what) => codeHref("/patterns", view, `/${what}`)} state={view.state} /> : null
      }
    >
      <div class="stack">
        <Card title={say.head.text}>
          <TemplateText text={view.text} />
        </Card>
        <Card title={say.facts}>
          <Facts
            facts={[
              [say.head.code, <Code key="code">{view.code}</Code>],
              ...(view.account === null
                ? []
                : [[say.head.account, <Name key="account">{view.account.name}</Name>] as const]),
              [say.sender, view.sender === null ? say.anySender : <Phone key="sender" number={view.sender} />],
              [
                say.variables,
                view.variables.length === 0 ? (
                  say.noVariables
                ) : (
                  <Code key="variables">
                    {view.variables.map(({ name, maxLength }) => `${name} (${maxLength})`).join(", ")}
                  </Code>
                ),
              ],
              [say.latin, size(view.latin)],
              [say.persian, size(view.persian)],
              ...(view.templateId === null
                ? []
                : [[say.templateId, <Code key="template">{view.templateId}</Code>] as const]),
            ]}
          />
        </Card>
        <PatternSampleForm sample={view.sample} action={codeHref("/patterns", view, "/preview")} />
        <Decisions decisions={view.decisions} />
      </div>
    </PageLayout>
  );
}

/** As they were typed. */
export interface PatternFields {
  account: string;
  code: string;
  name: string;
  text: string;
  sender: string;
}

export interface NewPatternView {
  fields: PatternFields;
  /** Empty for a customer, who has one. */
  accounts: readonly Option[];
  errors: FieldErrors;
}

export function NewPatternPage({ shell, view: { fields, accounts, errors } }: { shell: Shell; view: NewPatternView }) {
  const { words } = useLocale();
  const say = words.patterns;
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.patterns, href: "/patterns" }}>
      <PostForm class="card form" action="/patterns/new">
        <ErrorSummary errors={errors} />
        {accounts.length === 0 ? null : (
          <AccountField label={say.head.account} error={errors.account} value={fields.account} accounts={accounts} />
        )}
        <TextField
          name="code"
          label={say.head.code}
          hint={say.codeHint}
          error={errors.code}
          value={fields.code}
          size="medium"
          script="code"
        />
        <TextField name="name" label={say.name} error={errors.name} value={fields.name} size="medium" />
        <TextArea
          name="text"
          label={say.head.text}
          hint={say.textHint}
          error={errors.text}
          value={fields.text}
          rows={4}
        />
        <TextField
          name="sender"
          label={say.sender}
          hint={say.senderHint}
          error={errors.sender}
          value={fields.sender}
          size="medium"
          script="digits"
          optional
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.make}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}
