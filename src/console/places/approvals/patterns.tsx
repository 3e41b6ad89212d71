/** Approved texts whose variables an account fills in: the list, one pattern, and a new one. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { PatternDetailAnswer } from "../../../operator/patterns.ts";
import { Card, type Fact, Facts } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ShortFormPage } from "../../components/form-page.tsx";
import { controlsOf, type FormState, type Option, TextArea, TextField } from "../../components/forms.tsx";
import { Code, Name, Phone, TemplateText } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { accountColumn } from "../../components/message-columns.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, figureColumn, RowLink } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { messageWords } from "../messages/words.ts";
import { codeHref } from "./codes.ts";
import { Decide, Decisions } from "./decisions.tsx";
import { type PatternSample, PatternSampleForm } from "./pattern-sample.tsx";
import { patternsWords } from "./words.ts";

type ListedPattern = AnswerOf<"GET /patterns">["rows"][number];

export function PatternsPage({ patterns }: { patterns: ListPart<ListedPattern> }) {
  const { words, say } = useLocale(patternsWords);
  return (
    <CollectionPage
      title={words.places.patterns}
      lead={useIsCustomer() ? say.ownLead : say.lead}
      create={useMay("patterns.change") ? { href: "/patterns/new", label: say.create } : null}
      empty={{ icon: "pattern", title: say.emptyTitle, words: say.empty, command: "peyk pattern list" }}
      columns={useColumns()}
      list={patterns}
      keyOf={({ code, account }) => `${account} ${code}`}
    />
  );
}

function useColumns(): readonly Column<ListedPattern>[] {
  const { words, format } = useLocale();
  const { head } = useWords(patternsWords);
  const isOwn = useIsCustomer();
  const codeOf = ({ code, account }: ListedPattern) => (
    <RowLink href={codeHref("/patterns", { code, account: isOwn ? null : account })}>
      <Code>{code}</Code>
    </RowLink>
  );
  const partsOf = ({ preview: { latin, persian } }: ListedPattern) =>
    format.number(Math.max(latin.partCount, persian.partCount));
  return [
    { head: words.terms.code, phone: "title", cell: codeOf },
    { head: words.terms.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    { head: words.terms.text, phone: "line", cell: ({ text }) => <TemplateText text={text} clamp /> },
    ...(isOwn ? [] : [accountColumn<ListedPattern>(words.terms.account)]),
    figureColumn(head.parts, partsOf),
  ];
}

interface PatternProps {
  pattern: PatternDetailAnswer;
  sample: PatternSample;
  /** The name of its account; null for a customer, who has one. */
  owner: string | null;
  /** The address of a path below its own: `/approve`. */
  href(rest: string): string;
}

export function PatternPage({ pattern, sample, owner, href }: PatternProps) {
  const { words, say } = useLocale(patternsWords);
  const { name, status, text, decisions } = pattern;
  const decide = <Decide href={href} state={status} />;
  return (
    <PageLayout
      title={name}
      beside={<Pill state={status} />}
      above={{ title: words.places.patterns, href: "/patterns" }}
      actions={useMay("patterns.approve") ? decide : null}
    >
      <div class="stack">
        <Card title={words.terms.text}>
          <TemplateText text={text} />
        </Card>
        <Card title={say.facts}>
          <Facts facts={useFacts(pattern, owner)} />
        </Card>
        <PatternSampleForm sample={sample} action={href("/preview")} />
        <Decisions decisions={decisions} />
      </div>
    </PageLayout>
  );
}

function useFacts(pattern: PatternDetailAnswer, owner: string | null): (Fact | false)[] {
  const { words, format, say } = useLocale(patternsWords);
  const { encoding: encodings } = useWords(messageWords);
  const { code, sender, variables, preview, templateId } = pattern;
  const sizeOf = ({ encoding, characterCount, partCount }: PatternDetailAnswer["preview"]["latin"]) =>
    words.counts.size(format.count(partCount), format.count(characterCount), encodings[encoding]);
  const named = variables.map(({ name, maxLength }) => `${name} (${maxLength})`).join(", ");
  return [
    [words.terms.code, <Code key="code">{code}</Code>],
    owner !== null && [words.terms.account, <Name key="account">{owner}</Name>],
    [words.terms.sender, sender === null ? say.anySender : <Phone key="sender" number={sender} />],
    [say.variables, named === "" ? words.terms.none : <Code key="variables">{named}</Code>],
    [say.latin, sizeOf(preview.latin)],
    [say.persian, sizeOf(preview.persian)],
    templateId !== null && [say.templateId, <Code key="template">{templateId}</Code>],
  ];
}

interface NewPattern extends FormState<"account" | "code" | "name" | "text" | "sender"> {
  /** Empty for a customer, who has one. */
  accounts: readonly Option[];
}

export function NewPatternPage({ texts, accounts, errors }: NewPattern) {
  const { words, say } = useLocale(patternsWords);
  const control = controlsOf(texts, errors);
  const code = { ...control("code"), label: words.terms.code, hint: say.codeHint };
  const sender = { ...control("sender"), label: words.terms.sender, hint: say.senderHint };
  const above = { title: words.places.patterns, href: "/patterns" };
  return (
    <ShortFormPage title={say.create} above={above} errors={errors} submit={say.make}>
      {accounts.length === 0 ? null : (
        <AccountField {...control("account")} label={words.terms.account} accounts={accounts} />
      )}
      <TextField {...code} script="code" />
      <TextField {...control("name")} label={words.terms.name} />
      <TextArea {...control("text")} label={words.terms.text} hint={say.textHint} rows={4} />
      <TextField {...sender} script="digits" optional />
    </ShortFormPage>
  );
}
