/** Intakes: the list, and for each its template, its last calls, and what a call would send. */
import { withPreset } from "../../../domain/intake/intake-file.ts";
import { presetOf, presetTitle, recordedCall } from "../../../domain/intake/intake-presets.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { FormButtons } from "../../components/buttons.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { TextArea, TextField } from "../../components/forms.tsx";
import { Code, ForeignText, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, figureColumn, Records, RowLink, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { problemSentence } from "../../page/refusal.ts";
import { intakesWords } from "./words.ts";

export type IntakeCredential = AnswerOf<"GET /credentials">[number];
type RecordedCallAnswer = AnswerOf<"GET /intakes/:name/calls">[number];
type TriedAnswer = AnswerOf<"POST /intakes/:name/test">;

export const intakesPath = "/intakes";
export function IntakesPage({ intakes }: { intakes: ListPart<IntakeCredential> }) {
  const say = useWords(intakesWords);
  const empty = {
    icon: "inbox",
    title: say.emptyTitle,
    words: say.empty,
    command:
      "peyk credential create --key key_1 --kind intake --traffic single --username alerts --template alerts.json",
  } as const;
  return (
    <CollectionPage
      title={say.title}
      lead={say.lead}
      create={useMay("keys.change") ? { href: "/credentials/new?kind=intake", label: say.create } : null}
      empty={empty}
      columns={useIntakeColumns()}
      list={intakes}
      keyOf={({ id }) => id}
    />
  );
}

function useIntakeColumns(): readonly Column<IntakeCredential>[] {
  const { words, format } = useLocale();
  const { head } = useWords(intakesWords);
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
    { head: words.terms.key, phone: "line", named: true, cell: ({ key }) => <Code>{key}</Code> },
    wordColumn(head.traffic, ({ traffic }) => <Code>{traffic}</Code>),
    figureColumn(head.accepted, (one) => format.count(one.accepted).text),
    figureColumn(head.refused, (one) => format.count(one.refused).text),
  ];
}

interface Trial {
  intake: IntakeCredential;
  texts: { body: string; contentType: string; query: string };
  /** Null if nothing was tried. */
  tried: TriedAnswer | null;
}

export function IntakePage({ calls, ...trial }: Trial & { calls: readonly RecordedCallAnswer[] }) {
  const say = useWords(intakesWords);
  const { intake } = trial;
  const { language } = useLocale();
  const preset = presetOf(intake.template);
  const method = preset !== null && recordedCall(preset).body === "" ? "GET" : "POST";
  return (
    <PageLayout
      title={intake.name}
      above={{ title: say.title, href: intakesPath }}
      lead={preset === null ? undefined : <bdi>{presetTitle(preset, language)}</bdi>}
    >
      <div class="stack">
        <Card title={say.template}>
          <CodeBlock
            code={JSON.stringify(withPreset(intake.template), null, 2)}
            label={`${method} /in/${intake.name}`}
          />
        </Card>
        <TryCall {...trial} />
        <Card title={say.calls}>
          <p class="muted">{calls.length === 0 ? say.noCalls : say.callsWords}</p>
          {calls.length === 0 ? null : <Calls calls={calls} />}
        </Card>
      </div>
    </PageLayout>
  );
}

function TryCall({ intake, texts, tried }: Trial) {
  const say = useWords(intakesWords);
  return (
    <Card title={say.test} id="test">
      <PostForm class="form" action={`${intakesPath}/${intake.name}/test#test`}>
        <TextArea name="body" label={say.body} value={texts.body} rows={6} script="code" />
        <TextField name="contentType" label={say.contentType} value={texts.contentType} script="code" />
        <TextField name="query" label={say.query} value={texts.query} script="code" />
        <FormButtons isSecond label={say.tryIt} />
      </PostForm>
      {tried === null ? null : <Tried tried={tried} />}
    </Card>
  );
}

function Tried({ tried: { sends, messages, group, key, problems } }: { tried: TriedAnswer }) {
  const say = useWords(intakesWords);
  const columns = useTriedColumns();
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
      <Records label={say.test} columns={columns} rows={numbered} keyOf={({ index }) => String(index)} />
    </>
  );
}

function useTriedColumns(): readonly Column<TriedAnswer["messages"][number]>[] {
  const locale = useLocale();
  const { words, format } = locale;
  const { tried, fine } = useWords(intakesWords);
  return [
    {
      head: tried.to,
      phone: "title",
      cell: ({ recipient }) => (recipient === "" ? "-" : <Phone number={recipient} />),
    },
    { head: words.terms.text, phone: "line", fills: true, cell: ({ text }) => <ForeignText text={text} /> },
    figureColumn(tried.parts, ({ parts }) => format.number(parts)),
    {
      head: words.terms.state,
      phone: "aside",
      cell: ({ problem }) => (problem === null ? fine : problemSentence(problem, locale)),
    },
  ];
}

function Calls({ calls }: { calls: readonly RecordedCallAnswer[] }) {
  const { words, format, say } = useLocale(intakesWords);
  const outcomes: Readonly<Record<string, string>> = say.outcome;
  const columns: readonly Column<RecordedCallAnswer & { index: number }>[] = [
    { head: words.terms.time, phone: "title", cell: ({ at }) => <Time at={at} /> },
    {
      head: words.terms.outcome,
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
  const { format, say } = useLocale(intakesWords);
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
