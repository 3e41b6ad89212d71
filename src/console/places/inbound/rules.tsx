/** The rules of a line: in their order, with a text to try, and the form of one. */
import { type FieldTexts, pick } from "../../../fields/field.ts";
import { newRuleFields, ruleFields } from "../../../fields/inbound-rule.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { LineRulesAnswer, RuleAnswer } from "../../../operator/inbound-rules.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, PostButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import {
  controlsOf,
  ErrorSummary,
  type FieldErrors,
  type FormState,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { Code, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, figureColumn, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { rulesWords } from "./rules-words.ts";
import { linesWords } from "./words.ts";

type Days = AnswerOf<"GET /lines/:number/rules/days">;
type Trial = AnswerOf<"POST /lines/:number/rules/try">;

export const rulesHref = (number: string, suffix = "") => `/inbound/lines/${encodeURIComponent(number)}/rules${suffix}`;

export interface RulesView extends FormState<"from" | "text"> {
  line: LineRulesAnswer;
  days: Days;
  /** Null until a text was tried. */
  trial: Trial | null;
}

export function RulesPage({ line, days, trial, ...form }: RulesView) {
  const { say } = useLocale(rulesWords);
  const add = <LinkButton look="primary" icon="plus" href={rulesHref(line.number, "/-new")} label={say.add} />;
  return (
    <PageLayout
      title={say.title(line.number)}
      lead={say.lead}
      above={{ title: useWords(linesWords).title, href: "/inbound/lines" }}
      actions={useMay("inbound-rules.change") ? add : null}
    >
      <div class="stack">
        <RecordsCard title={say.rules} columns={useColumns(line)} rows={line.rules} keyOf={({ id }) => id}>
          <Empty icon="inbox" title={say.emptyTitle} command={`peyk line rule add ${line.number} --help`}>
            {say.empty}
          </Empty>
        </RecordsCard>
        <TryForm {...form} line={line} days={days} trial={trial} />
        {days.length === 0 ? null : <DaysCard days={days} />}
      </div>
    </PageLayout>
  );
}

function useColumns({ number, rules }: LineRulesAnswer): readonly Column<RuleAnswer>[] {
  const { words, format, say } = useLocale(rulesWords);
  const actions = ({ id, place }: RuleAnswer) => {
    const path = rulesHref(number, `/${id}`);
    const named = (label: string) => ({ label, described: `${label}: ${say.ruleOf(format.number(place))}` });
    const move = { look: "quiet small", action: `${path}/place`, name: "place" } as const;
    return (
      <>
        {place === 1 ? null : <PostButton {...move} value={String(place - 1)} {...named(say.moveUp)} />}
        {place === rules.length ? null : <PostButton {...move} value={String(place + 1)} {...named(say.moveDown)} />}
        <LinkButton look="quiet small" href={path} {...named(words.forms.change)} />
        <LinkButton look="quiet small" href={`${path}/remove`} dialog {...named(words.actions.remove)} />
      </>
    );
  };
  const columns: readonly Column<RuleAnswer>[] = [
    { head: say.place, phone: "aside", named: true, cell: ({ place }) => format.number(place) },
    { head: say.takes, phone: "title", cell: (rule) => <Takes {...rule} /> },
    { head: say.does, phone: "line", cell: (rule) => <Does {...rule} /> },
    figureColumn(say.uses, ({ uses }) => format.number(uses)),
    wordColumn(say.lastUse, ({ usedAt }) => (usedAt === null ? "–" : <Time at={usedAt} />)),
    { head: words.lists.actions, phone: "line", buttons: true, cell: actions },
  ];
  return useMay("inbound-rules.change") ? columns : columns.slice(0, -1);
}

function DaysCard({ days }: Pick<RulesView, "days">) {
  const { format, say } = useLocale(rulesWords);
  const dateOf = (day: string) =>
    format.date(Temporal.PlainDate.from(day).toZonedDateTime(format.zone).epochMilliseconds);
  const columns: readonly Column<Days[number]>[] = [
    { head: say.day, phone: "title", cell: ({ day }) => dateOf(day) },
    figureColumn(say.place, ({ place }) => format.number(place)),
    figureColumn(say.texts, ({ texts }) => format.number(texts)),
    figureColumn(say.sent, ({ sent }) => format.number(sent)),
  ];
  return <RecordsCard title={say.days} columns={columns} rows={days} keyOf={({ day, rule }) => `${day} ${rule}`} />;
}

function Takes({ match, words: sought, hours }: RuleAnswer) {
  const { say } = useLocale(rulesWords);
  return (
    <>
      {say.match[match]} <bdi class="strong">{sought.join(" · ")}</bdi>
      {hours === null ? null : (
        <div>
          <Code>{hours.join(", ")}</Code>
        </div>
      )}
    </>
  );
}

const doing = ["reply", "closedReply", "leaves", "joins", "forwardTo", "mail", "credential"] as const;

function Does(rule: RuleAnswer) {
  const { say } = useLocale(rulesWords);
  return doing.flatMap((name) =>
    rule[name] === null
      ? []
      : [
          <div key={name}>
            <span class="muted">{say.fields[name].label}:</span> <bdi>{rule[name]}</bdi>
          </div>,
        ],
  );
}

function TryForm({ line, trial, texts, errors }: RulesView) {
  const { say } = useLocale(rulesWords);
  const control = controlsOf(texts, errors);
  return (
    <Card title={say.try} id="try">
      <PostForm class="form" action={rulesHref(line.number, "#try")}>
        <ErrorSummary errors={errors} />
        <TextField {...control("from")} label={say.from} script="digits" inputMode="tel" />
        <TextArea {...control("text")} label={say.text} rows={2} />
        <FormButtons isSecond label={say.doTry} />
      </PostForm>
      {trial === null ? null : <Tried {...trial} />}
    </Card>
  );
}

function Tried({ keyword, rule, isOpen, messages, currency }: Trial) {
  const { format, say } = useLocale(rulesWords);
  if (keyword !== null) return <p role="status">{say.keyword}</p>;
  if (rule === null) return <p role="status">{say.noRule}</p>;
  const number = format.number(rule.place);
  const heldWords: Readonly<Record<string, string>> = say.heldBack;
  return (
    <div role="status">
      <p class="strong">{isOpen ? say.takenBy(number) : say.takenClosed(number)}</p>
      {isOpen ? <Does {...rule} reply={null} closedReply={null} forwardTo={null} /> : null}
      {messages.map(({ kind, recipient, text, heldBack, partCount, price }) => (
        <p key={kind}>
          <Phone number={recipient} />:{" "}
          {heldBack === null ? (
            <>
              <bdi>{text}</bdi> <span class="muted">· {say.parts(format.count(partCount ?? 1))}</span>
              {price === null ? null : <span class="muted"> · {format.amount(price, currency)}</span>}
            </>
          ) : (
            <span class="ink-bad">{say.unsent(heldWords[heldBack] ?? heldBack)}</span>
          )}
        </p>
      ))}
    </div>
  );
}

interface RuleForm {
  number: string;
  /** Null for a new one. */
  rule: string | null;
  texts: FieldTexts<typeof newRuleFields>;
  errors: FieldErrors;
}

export function RulePage({ number, rule, texts, errors }: RuleForm) {
  const { words, say } = useLocale(rulesWords);
  const { fields: said } = say;
  const control = controlsOf(texts, errors);
  const shared = { said: { ...said, match: { ...said.match, choices: say.match } }, texts: { ...texts }, errors };
  const prose = (name: "reply" | "closedReply") => <TextArea {...control(name)} {...said[name]} rows={3} optional />;
  return (
    <FormPage
      title={rule === null ? say.add : say.change}
      above={{ title: say.title(number), href: rulesHref(number) }}
      errors={errors}
      submit={rule === null ? say.doAdd : words.actions.save}
    >
      <section class="form-group form">
        <DeclaredFields table={pick(ruleFields, "match", "words", "hours")} {...shared} />
        {prose("reply")}
        {prose("closedReply")}
        <DeclaredFields
          table={pick(newRuleFields, "joins", "leaves", "forwardTo", "mail", "credential", "place")}
          {...shared}
        />
      </section>
    </FormPage>
  );
}
