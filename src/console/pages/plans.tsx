/** Routing plans: the list, and one with its rules in words and a try with numbers. */
import { type MessageClassName, messageClassNames } from "../../domain/message.ts";
import type { PlanAnswer, PlanRuleAnswer, TriedNumber } from "../../operator/plans.ts";
import { Card, CodeBlock, Empty, Notice } from "../components/blocks.tsx";
import { SelectField, TextArea } from "../components/forms.tsx";
import { Code, Phone } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { TonePill } from "../components/pill.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import { EnglishSentence } from "../components/sentence.tsx";
import { type Locale, useLocale } from "../locale.ts";

const hrefOf = (name: string) => `/plans/${encodeURIComponent(name)}`;

export function PlansPage({ shell, plans }: { shell: Shell; plans: readonly PlanAnswer[] }) {
  const locale = useLocale();
  const { words } = locale;
  return (
    <PageLayout shell={shell} title={words.places.plans} lead={words.plans.lead}>
      <div class="card card-flush">
        {plans.length === 0 ? (
          <Empty icon="filter" title={words.plans.emptyTitle} command="peyk plan create NAME">
            {words.plans.empty}
          </Empty>
        ) : (
          <Records label={words.places.plans} columns={planColumns(locale)} rows={plans} keyOf={({ name }) => name} />
        )}
      </div>
    </PageLayout>
  );
}

function planColumns({ words, format }: Locale): readonly Column<PlanAnswer>[] {
  const { head, fine, wrong } = words.plans;
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={hrefOf(name)}>
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

export interface PlanView {
  plan: PlanAnswer;
  /** What is tried, as it was typed. */
  numbers: string;
  class: MessageClassName;
  /** Null until something is tried. */
  tried: readonly TriedNumber[] | null;
}

export function PlanPage({ shell, view }: { shell: Shell; view: PlanView }) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.plans;
  const { plan } = view;
  return (
    <PageLayout shell={shell} title={plan.name} above={{ title: words.places.plans, href: "/plans" }}>
      <div class="stack">
        <Problems problems={plan.problems} />
        <Card title={say.rules} flush>
          {plan.rules.length === 0 ? (
            <p class="muted card-form">{say.noRules}</p>
          ) : (
            <Records
              label={say.rules}
              columns={ruleColumns(locale)}
              rows={plan.rules}
              keyOf={({ number }) => String(number)}
            />
          )}
          <div class="card-form">
            <CodeBlock code={`peyk plan rule add ${plan.name} --help`} label={say.change} />
          </div>
        </Card>
        <TryForm view={view} />
        <Card title={say.senders}>
          {plan.senders.length === 0 ? <p class="muted">{say.noSenders}</p> : null}
          <ul>
            {plan.senders.map(({ account, sender }) => (
              <li key={`${account} ${sender}`}>
                <Phone number={sender} />{" "}
                <a href={`/accounts/${account}`}>
                  <Code>{account}</Code>
                </a>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </PageLayout>
  );
}

function Problems({ problems }: Pick<PlanAnswer, "problems">) {
  const { words, format } = useLocale();
  if (problems.length === 0) return null;
  const say = words.plans;
  return (
    <Notice tone="warn">
      <p class="strong">{say.problems}</p>
      <ul>
        {problems.map(({ rule, message }) => (
          <li key={`${rule} ${message}`}>
            {rule === null ? null : `${say.inRule(format.number(rule))}: `}
            <EnglishSentence>{message}</EnglishSentence>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function ruleColumns(locale: Locale): readonly Column<PlanRuleAnswer>[] {
  const { words, format } = locale;
  const { rule } = words.plans;
  return [
    { head: rule.number, phone: "aside", named: true, cell: ({ number }) => format.number(number) },
    { head: rule.takes, phone: "title", cell: (one) => takesText(one, locale) },
    { head: rule.routes, phone: "line", cell: ({ targets }) => <Targets targets={targets} /> },
  ];
}

/** What a rule takes; every part must fit. */
function takesText({ countries, ranges, networks, classes, accounts }: PlanRuleAnswer, { words, format }: Locale) {
  const { takes, everything } = words.plans;
  const taken = messageClassNames.filter((name) => classes.includes(name));
  const parts = [
    ...(taken.length > 0 ? [format.list(taken.map((name) => words.now.className[name]))] : []),
    ...(networks.length > 0 ? [takes.networks(format.list(networks))] : []),
    ...(countries.length > 0 ? [takes.countries(format.list(countries))] : []),
    ...(ranges.length > 0 ? [takes.ranges(format.list(ranges))] : []),
    ...(accounts.length > 0 ? [takes.accounts(format.list(accounts))] : []),
  ];
  return parts.length === 0 ? everything : parts.join(" · ");
}

/** Routes in their order, and each target's share where there are several. */
function Targets({ targets }: { targets: TriedNumber["targets"] }) {
  const { words, format } = useLocale();
  const say = words.plans;
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  return (
    <>
      {targets.map(({ weight, routes }) => (
        <div key={routes.join(" ")}>
          {routes.map((route, index) => (
            <span key={route}>
              {index === 0 ? null : <span class="muted"> {say.orElse} </span>}
              <Code>{route}</Code>
            </span>
          ))}
          {targets.length === 1 ? null : <span class="muted"> · {say.share(format.percent(weight / sum))}</span>}
        </div>
      ))}
    </>
  );
}

function TryForm({ view }: { view: PlanView }) {
  const locale = useLocale();
  const { plans: say, now } = locale.words;
  return (
    <Card title={say.test} id="test">
      <form class="form" method="get" action={`${hrefOf(view.plan.name)}#test`}>
        <TextArea
          name="numbers"
          label={say.numbers}
          hint={say.numbersHint}
          value={view.numbers}
          rows={2}
          script="digits"
        />
        <SelectField
          name="class"
          label={say.class}
          value={view.class}
          options={messageClassNames.map((value) => ({ value, label: now.className[value] }))}
        />
        <p>
          <button type="submit" class="button">
            {say.tryIt}
          </button>
        </p>
      </form>
      {view.tried === null ? null : (
        <Records
          label={say.test}
          columns={triedColumns(locale)}
          rows={view.tried}
          keyOf={({ recipient }) => recipient}
        />
      )}
    </Card>
  );
}

function triedColumns({ words, format }: Locale): readonly Column<TriedNumber>[] {
  const { tried, noMobile, ownRoutes, unknownNetwork } = words.plans;
  return [
    { head: tried.recipient, phone: "title", cell: ({ number, recipient }) => <Phone number={number ?? recipient} /> },
    {
      head: tried.network,
      phone: "aside",
      cell: ({ number, network }) =>
        number === null ? "" : network === null ? unknownNetwork : <Code>{network}</Code>,
    },
    {
      head: tried.rule,
      phone: "word",
      named: true,
      cell: ({ rule }) => (rule === null ? "–" : format.number(rule)),
    },
    {
      head: tried.routes,
      phone: "line",
      cell: ({ number, rule, targets }) => {
        if (number === null) return <span class="ink-bad">{noMobile}</span>;
        return rule === null ? <span class="muted">{ownRoutes}</span> : <Targets targets={targets} />;
      },
    },
  ];
}
