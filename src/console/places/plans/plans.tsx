/** Routing plans: the list, and the form for a new one. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { PlanAnswer } from "../../../operator/plans.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ShortFormPage } from "../../components/form-page.tsx";
import { controlsOf, type FormState, TextField } from "../../components/forms.tsx";
import { Code, ForeignText, Slug, Time } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { plansWords } from "./words.ts";

export const planHref = (name: string, rest = ""): string => `/plans/${encodeURIComponent(name)}${rest}`;

type PortedAnswer = AnswerOf<"GET /ported-numbers">;

export function PlansPage({ plans, ported }: { plans: ListPart<PlanAnswer>; ported: PortedAnswer }) {
  const { words, say } = useLocale(plansWords);
  return (
    <CollectionPage
      title={words.places.plans}
      lead={say.lead}
      create={useMay("routes.change") ? { href: "/plans/-new", label: say.create } : null}
      empty={{ icon: "filter", title: say.emptyTitle, words: say.empty, command: "peyk plan create NAME" }}
      columns={useColumns()}
      list={plans}
      keyOf={({ name }) => name}
    >
      <Ported {...ported} />
    </CollectionPage>
  );
}

function Ported({ table, lookup }: PortedAnswer) {
  const { format, say } = useLocale(plansWords);
  const { title, none, numbers, unusable, service, asked, fileUnusable, lastProblem } = say.ported;
  return (
    <Card title={title} id="ported">
      {table === null ? <p class="muted">{none}</p> : <p>{numbers(format.count(table.numbers))}</p>}
      {table === null ? null : (
        <p class="muted">
          {say.ported.imported} <Time at={table.importedAt} as="dayAndClock" />
        </p>
      )}
      {table === null || table.problem === null ? null : <p class="ink-bad">{unusable}</p>}
      {lookup === null ? null : (
        <Facts
          facts={[
            [service, lookup.settings === null ? fileUnusable : <Code>{lookup.settings.service}</Code>],
            lookup.settings !== null && [
              asked.name,
              asked.of(format.number(lookup.asked), format.number(lookup.settings.budgetPerDay)),
            ],
            lookup.lastProblem !== null && [
              lastProblem,
              <>
                <Time at={lookup.lastProblem.at} /> <ForeignText text={lookup.lastProblem.words} />
              </>,
            ],
          ]}
        />
      )}
      <p>
        <Code>peyk ported import FILE</Code>
      </p>
    </Card>
  );
}

export function NewPlanPage({ texts, errors }: FormState<"name">) {
  const { words } = useLocale();
  const { create, doCreate, head, nameHint } = useWords(plansWords);
  const name = { ...controlsOf(texts, errors)("name"), label: head.name, hint: nameHint };
  const above = { title: words.places.plans, href: "/plans" };
  return (
    <ShortFormPage title={create} above={above} errors={errors} submit={doCreate}>
      <TextField {...name} script="code" />
    </ShortFormPage>
  );
}

function useColumns(): readonly Column<PlanAnswer>[] {
  const { words, format } = useLocale();
  const { head, fine, wrong } = useWords(plansWords);
  const nameOf = ({ name }: PlanAnswer) => (
    <RowLink href={planHref(name)}>
      <Slug>{name}</Slug>
    </RowLink>
  );
  const stateOf = ({ problems }: PlanAnswer) =>
    problems.length === 0 ? (
      <TonePill tone="ok">{fine}</TonePill>
    ) : (
      <TonePill tone="warn">{wrong(format.count(problems.length))}</TonePill>
    );
  const figure = { phone: "word", named: true, figure: true } as const;
  return [
    { head: head.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: stateOf },
    { head: head.rules, ...figure, cell: ({ rules }) => format.number(rules.length) },
    { head: words.terms.senders, ...figure, cell: ({ senders }) => format.number(senders.length) },
  ];
}
