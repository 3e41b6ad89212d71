/** Approved texts whose variables an account fills in: the list, one pattern, and a new one. */

import type { AnswerOf } from "../../../operator/client.ts";
import type { PatternDetailAnswer } from "../../../operator/patterns.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, type Option, TextArea, TextField } from "../../components/forms.tsx";
import { Code, Name, Phone, TemplateText } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { messageWords } from "../messages/words.ts";
import { codeHref, Decide, Decisions } from "./decisions.tsx";
import { type PatternSample, PatternSampleForm } from "./pattern-sample.tsx";
import { patternsWords } from "./words.ts";

type ListedPattern = AnswerOf<"GET /patterns">["rows"][number];

interface PatternsProps {
  shell: Shell;
  patterns: ListPart<ListedPattern>;
  /** For a customer, who has one account. */
  isOwn: boolean;
  mayChange: boolean;
}

export function PatternsPage({ shell, patterns, isOwn, mayChange }: PatternsProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = patternsWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.patterns}
      lead={shell.role === "customer" ? say.ownLead : say.lead}
      create={mayChange ? { href: "/patterns/new", label: say.create } : null}
      empty={{ icon: "pattern", title: say.emptyTitle, words: say.empty, command: "peyk pattern list" }}
      columns={columnsOf(locale, isOwn)}
      list={patterns}
      keyOf={({ code, account }) => `${account} ${code}`}
    />
  );
}

function columnsOf({ language, format }: Locale, isOwn: boolean): readonly Column<ListedPattern>[] {
  const { head } = patternsWords[language];
  const account: Column<ListedPattern> = {
    head: head.account,
    phone: "word",
    cell: ({ accountName }) => <Name>{accountName}</Name>,
  };
  return [
    {
      head: head.code,
      phone: "title",
      cell: ({ code, account }) => (
        <RowLink href={codeHref("/patterns", { code, account: isOwn ? null : account })}>
          <Code>{code}</Code>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    { head: head.text, phone: "line", cell: ({ text }) => <TemplateText text={text} clamp /> },
    ...(isOwn ? [] : [account]),
    {
      head: head.parts,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ preview: { latin, persian } }) => format.number(Math.max(latin.partCount, persian.partCount)),
    },
  ];
}

interface PatternProps {
  shell: Shell;
  pattern: PatternDetailAnswer;
  sample: PatternSample;
  /** The name of its account; null for a customer, who has one. */
  owner: string | null;
  /** The address of a path below its own: `/approve`. */
  href(rest: string): string;
  mayApprove: boolean;
}

export function PatternPage({ shell, pattern, sample, owner, href, mayApprove }: PatternProps) {
  const { language, words, format } = useLocale();
  const say = patternsWords[language];
  const size = ({ encoding, characterCount, partCount }: PatternDetailAnswer["preview"]["latin"]) =>
    words.counts.size(format.count(partCount), format.count(characterCount), messageWords[language].encoding[encoding]);
  return (
    <PageLayout
      shell={shell}
      title={pattern.name}
      beside={<Pill state={pattern.status} />}
      above={{ title: words.places.patterns, href: "/patterns" }}
      actions={mayApprove ? <Decide href={(what) => href(`/${what}`)} state={pattern.status} /> : null}
    >
      <div class="stack">
        <Card title={say.head.text}>
          <TemplateText text={pattern.text} />
        </Card>
        <Card title={say.facts}>
          <Facts
            facts={[
              [say.head.code, <Code key="code">{pattern.code}</Code>],
              ...(owner === null ? [] : [[say.head.account, <Name key="account">{owner}</Name>] as const]),
              [say.sender, pattern.sender === null ? say.anySender : <Phone key="sender" number={pattern.sender} />],
              [
                say.variables,
                pattern.variables.length === 0 ? (
                  say.noVariables
                ) : (
                  <Code key="variables">
                    {pattern.variables.map(({ name, maxLength }) => `${name} (${maxLength})`).join(", ")}
                  </Code>
                ),
              ],
              [say.latin, size(pattern.preview.latin)],
              [say.persian, size(pattern.preview.persian)],
              ...(pattern.templateId === null
                ? []
                : [[say.templateId, <Code key="template">{pattern.templateId}</Code>] as const]),
            ]}
          />
        </Card>
        <PatternSampleForm sample={sample} action={href("/preview")} />
        <Decisions decisions={pattern.decisions} />
      </div>
    </PageLayout>
  );
}

/** As typed. */
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
  const { language, words } = useLocale();
  const say = patternsWords[language];
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
