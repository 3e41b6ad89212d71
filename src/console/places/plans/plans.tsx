/** Routing plans: the list, and the form for a new one. */
import type { PlanAnswer } from "../../../operator/plans.ts";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, TextField } from "../../components/forms.tsx";
import { Code } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { plansWords } from "./words.ts";

export const planHref = (name: string, rest = ""): string => `/plans/${encodeURIComponent(name)}${rest}`;

interface PlansProps {
  shell: Shell;
  plans: ListPart<PlanAnswer>;
  mayChange: boolean;
}

export function PlansPage({ shell, plans, mayChange }: PlansProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = plansWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.plans}
      lead={say.lead}
      create={mayChange ? { href: "/plans/-new", label: say.create } : null}
      empty={{ icon: "filter", title: say.emptyTitle, words: say.empty, command: "peyk plan create NAME" }}
      columns={planColumns(locale)}
      list={plans}
      keyOf={({ name }) => name}
    />
  );
}

export function NewPlanPage({ shell, view }: { shell: Shell; view: { name: string; errors: FieldErrors } }) {
  const { language, words } = useLocale();
  const say = plansWords[language];
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.plans, href: "/plans" }}>
      <PostForm class="card form" action="/plans/-new">
        <ErrorSummary errors={view.errors} />
        <TextField
          name="name"
          label={say.head.name}
          hint={say.nameHint}
          error={view.errors.name}
          value={view.name}
          size="medium"
          script="code"
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.doCreate}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}

function planColumns({ language, format }: Locale): readonly Column<PlanAnswer>[] {
  const { head, fine, wrong } = plansWords[language];
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={planHref(name)}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    {
      head: head.state,
      phone: "aside",
      cell: ({ problems }) =>
        problems.length === 0 ? (
          <TonePill tone="ok">{fine}</TonePill>
        ) : (
          <TonePill tone="warn">{wrong(format.count(problems.length))}</TonePill>
        ),
    },
    { head: head.rules, phone: "word", named: true, figure: true, cell: ({ rules }) => format.number(rules.length) },
    {
      head: head.senders,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ senders }) => format.number(senders.length),
    },
  ];
}
