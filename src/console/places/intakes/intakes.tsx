/** Intakes: the list, and for each its template, its last calls, and what a call would send. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { TextArea, TextField } from "../../components/forms.tsx";
import { Code, ForeignText, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { problemSentence } from "../../page/refusal.ts";
import { intakesWords } from "./words.ts";

export type IntakeCredential = AnswerOf<"GET /credentials">[number];
type RecordedCallAnswer = AnswerOf<"GET /intakes/:name/calls">[number];
type TriedAnswer = AnswerOf<"POST /intakes/:name/test">;

export const intakesPath = "/intakes";
export function IntakesPage({ shell, intakes }: { shell: Shell; intakes: ListPart<IntakeCredential> }) {
  const locale = useLocale();
  const say = intakesWords[locale.language];
  const empty = {
    icon: "inbox",
    title: say.emptyTitle,
    words: say.empty,
    command:
      "peyk credential create --key key_1 --kind intake --traffic single --username alerts --template alerts.json",
  } as const;
  return (
    <CollectionPage
      shell={shell}
      title={say.title}
      lead={say.lead}
      create={null}
      empty={empty}
      columns={intakeColumns(locale)}
      list={intakes}
      keyOf={({ id }) => id}
    />
  );
}

function intakeColumns({ language, format }: Locale): readonly Column<IntakeCredential>[] {
  const { head } = intakesWords[language];
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={`${intakesPath}/${name}`}>
          <bdi>{name}</bdi>
        </RowLink>
      ),
    },
    { head: head.key, phone: "line", named: true, cell: ({ key }) => <Code>{key}</Code> },
    { head: head.traffic, phone: "word", named: true, cell: ({ traffic }) => <Code>{traffic}</Code> },
    { head: head.accepted, phone: "word", named: true, figure: true, cell: (one) => format.count(one.accepted).text },
    { head: head.refused, phone: "word", named: true, figure: true, cell: (one) => format.count(one.refused).text },
  ];
}

export interface IntakeView {
  intake: IntakeCredential;
  calls: readonly RecordedCallAnswer[];
  fields: { body: string; contentType: string };
  /** Null if nothing was tried. */
  tried: TriedAnswer | null;
}

export function IntakePage({ shell, view }: { shell: Shell; view: IntakeView }) {
  const { language } = useLocale();
  const say = intakesWords[language];
  const { intake, calls } = view;
  return (
    <PageLayout shell={shell} title={intake.name} above={{ title: say.title, href: intakesPath }}>
      <div class="stack">
        <Card title={say.template}>
          <CodeBlock code={JSON.stringify(intake.template, null, 2)} label={`POST /in/${intake.name}`} />
        </Card>
        <TryCall view={view} />
        <Card title={say.calls}>
          <p class="muted">{calls.length === 0 ? say.noCalls : say.callsWords}</p>
          {calls.length === 0 ? null : <Calls calls={calls} />}
        </Card>
      </div>
    </PageLayout>
  );
}

function TryCall({ view: { intake, fields, tried } }: { view: IntakeView }) {
  const { language } = useLocale();
  const say = intakesWords[language];
  return (
    <Card title={say.test} id="test">
      <PostForm class="form" action={`${intakesPath}/${intake.name}/test#test`}>
        <TextArea name="body" label={say.body} value={fields.body} rows={6} script="code" />
        <TextField name="contentType" label={say.contentType} value={fields.contentType} script="code" />
        <p class="form-buttons">
          <button type="submit" class="button">
            {say.tryIt}
          </button>
        </p>
      </PostForm>
      {tried === null ? null : <Tried tried={tried} />}
    </Card>
  );
}

function Tried({ tried: { sends, messages, group, key, problems } }: { tried: TriedAnswer }) {
  const locale = useLocale();
  const say = intakesWords[locale.language];
  if (sends === "nothing") return <p>{say.sendsNothing}</p>;
  if (sends === "refused") {
    return (
      <ul>
        {problems.map(({ field, code }) => (
          <li key={field}>
            <Code>{field}</Code> {say.wrong[code]}
          </li>
        ))}
      </ul>
    );
  }
  const numbered = messages.map((message, index) => ({ ...message, index }));
  return (
    <>
      {group === null ? null : <p>{say.toGroup(group)}</p>}
      <p class="muted">{key === null ? say.noKey : say.keyIs(key)}</p>
      <Records label={say.test} columns={triedColumns(locale)} rows={numbered} keyOf={({ index }) => String(index)} />
    </>
  );
}

function triedColumns(locale: Locale): readonly Column<TriedAnswer["messages"][number]>[] {
  const { language, format } = locale;
  const { tried, fine } = intakesWords[language];
  return [
    {
      head: tried.to,
      phone: "title",
      cell: ({ recipient }) => (recipient === "" ? "-" : <Phone number={recipient} />),
    },
    { head: tried.text, phone: "line", fills: true, cell: ({ text }) => <ForeignText text={text} /> },
    { head: tried.parts, phone: "word", named: true, figure: true, cell: ({ parts }) => format.number(parts) },
    {
      head: tried.state,
      phone: "aside",
      cell: ({ problem }) => (problem === null ? fine : problemSentence(problem, locale)),
    },
  ];
}

function Calls({ calls }: { calls: readonly RecordedCallAnswer[] }) {
  const { language, format } = useLocale();
  const say = intakesWords[language];
  const outcomes: Readonly<Record<string, string>> = say.outcome;
  const columns: readonly Column<RecordedCallAnswer & { index: number }>[] = [
    { head: say.call.at, phone: "title", cell: ({ at }) => <Time at={at} /> },
    {
      head: say.call.outcome,
      phone: "line",
      cell: ({ outcome, bytes }) => (
        <>
          {outcomes[outcome] ?? say.refused(outcome)} <span class="muted">{say.octets(format.count(bytes))}</span>
        </>
      ),
    },
    { head: say.call.fields, phone: "line", fills: true, cell: (call) => <Fields call={call} /> },
  ];
  const numbered = calls.map((call, index) => ({ ...call, index }));
  return <Records label={say.calls} columns={columns} rows={numbered} keyOf={({ index }) => String(index)} />;
}

function Fields({ call: { fields, hasMoreFields } }: { call: RecordedCallAnswer }) {
  const { language, format } = useLocale();
  const say = intakesWords[language];
  return (
    <>
      {fields
        .filter(({ path }) => path !== "")
        .map(({ path, type, length }) => (
          <span key={path} class="nowrap">
            <Code>{path}</Code> {say.types[type]} {length === null ? "" : format.number(length)}{" "}
          </span>
        ))}
      {hasMoreFields ? say.more : null}
    </>
  );
}
