/**
 * One routing plan: its rules as text and in order, its problems, a trial with numbers, and the senders that use it.
 */

import { type MessageClassName, messageClassNames } from "../../../domain/message.ts";
import type { PlanAnswer, PlanRuleAnswer, TriedNumber } from "../../../operator/plans.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, PostButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import {
  controlsOf,
  ErrorSummary,
  type FieldErrors,
  FileField,
  type FormState,
  type Option,
  SelectField,
  TextArea,
} from "../../components/forms.tsx";
import { Code, Phone, Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField, SenderField } from "../../components/listed-field.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, wordColumn } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { planProblemSentence } from "./plan-problem.ts";
import { planHref } from "./plans.tsx";
import { planRuleWords, plansWords } from "./words.ts";

export interface PlanTrial {
  /** Evaluated as if this account had sent them; empty for any. */
  texts: { numbers: string; class: MessageClassName; account: string };
  errors: FieldErrors;
  /** Null until something has been tried. */
  result: {
    /** The first ones. */
    shown: readonly TriedNumber[];
    total: number;
    /** Null: no rule matches. */
    byRule: readonly { rule: number | null; count: number }[];
    noMobile: number;
  } | null;
}

interface PlanView {
  plan: PlanAnswer;
  accounts: readonly Option[];
  /** The senders that it can be assigned to. */
  senders: readonly Option[];
  trial: PlanTrial;
  /** The sender that it is assigned to, as typed. */
  given: FormState<"sender">;
}

export function PlanPage(view: PlanView) {
  const { words } = useLocale();
  const { name, problems } = view.plan;
  return (
    <PageLayout
      title={name}
      above={{ title: words.places.plans, href: "/plans" }}
      actions={useMay("routes.change") ? <Actions name={name} /> : null}
    >
      <div class="stack">
        <Problems problems={problems} />
        <Rules plan={view.plan} />
        <TryForm {...view} />
        <Senders {...view} />
      </div>
    </PageLayout>
  );
}

function Actions({ name }: { name: string }) {
  const { remove } = useWords(plansWords);
  const { title } = useWords(planRuleWords);
  return (
    <>
      <LinkButton href={planHref(name, "/remove")} label={remove} dialog />
      <LinkButton look="primary" href={planHref(name, "/rules/-new")} icon="plus" label={title} />
    </>
  );
}

function Problems({ problems }: Pick<PlanAnswer, "problems">) {
  const locale = useLocale();
  const say = useWords(plansWords);
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      <p class="strong">{say.problems}</p>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.rule} ${problem.message}`}>
            {problem.rule === null ? null : `${say.inRule(locale.format.number(problem.rule))}: `}
            {planProblemSentence(problem, locale)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Rules({ plan }: Pick<PlanView, "plan">) {
  const say = useWords(plansWords);
  const columns = useRuleColumns(plan);
  return (
    <RecordsCard title={say.rules} columns={columns} rows={plan.rules} keyOf={({ number }) => String(number)}>
      {say.noRules}
    </RecordsCard>
  );
}

function RuleActions({ plan: { name, rules }, number }: { plan: PlanAnswer; number: number }) {
  const { words, format, say } = useLocale(plansWords);
  const path = planHref(name, `/rules/${number}`);
  const named = (label: string) => ({ label, described: `${label}: ${say.inRule(format.number(number))}` });
  const move = { look: "quiet small", action: `${path}/move`, name: "to" } as const;
  return (
    <>
      {number === 1 ? null : <PostButton {...move} value={String(number - 1)} {...named(say.moveUp)} />}
      {number === rules.length ? null : <PostButton {...move} value={String(number + 1)} {...named(say.moveDown)} />}
      <LinkButton look="quiet small" href={`${path}/change`} {...named(words.forms.change)} />
      <LinkButton look="quiet small" href={`${path}/remove`} dialog {...named(words.actions.remove)} />
    </>
  );
}

function useRuleColumns(plan: PlanAnswer): readonly Column<PlanRuleAnswer>[] {
  const locale = useLocale();
  const { words } = useLocale();
  const { rule } = useWords(plansWords);
  const changed: Column<PlanRuleAnswer> = {
    head: locale.words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ number }) => <RuleActions plan={plan} number={number} />,
  };
  return [
    { head: rule.number, phone: "aside", named: true, cell: ({ number }) => locale.format.number(number) },
    { head: rule.takes, phone: "title", cell: (one) => takesText(one, locale) },
    { head: words.places.routes, phone: "line", cell: ({ targets }) => <Targets targets={targets} /> },
    ...(useMay("routes.change") ? [changed] : []),
  ];
}

/** What a rule matches; every condition must apply. */
function takesText(
  { countries, ranges, networks, classes, accounts }: PlanRuleAnswer,
  { language, format, words }: Locale,
) {
  const { takes, everything } = plansWords[language];
  const taken = messageClassNames.filter((name) => classes.includes(name));
  const parts = [
    ...(taken.length > 0 ? [format.list(taken.map((name) => words.counts.className[name]))] : []),
    ...(networks.length > 0 ? [takes.networks(format.list(networks))] : []),
    ...(countries.length > 0 ? [takes.countries(format.list(countries))] : []),
    ...(ranges.length > 0 ? [takes.ranges(format.list(ranges))] : []),
    ...(accounts.length > 0 ? [takes.accounts(format.list(accounts))] : []),
  ];
  return parts.length === 0 ? everything : parts.join(" · ");
}

/** Routes in their order, and each target's share where there are several. */
function Targets({ targets }: Pick<TriedNumber, "targets">) {
  const { format, say } = useLocale(plansWords);
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  return (
    <>
      {targets.map(({ weight, routes }) => (
        <div key={routes.join(" ")}>
          {routes.map((route, index) => (
            <span key={route}>
              {index === 0 ? null : <span class="muted"> {say.orElse} </span>}
              <Slug>{route}</Slug>
            </span>
          ))}
          {targets.length === 1 ? null : <span class="muted"> · {say.share(format.percent(weight / sum))}</span>}
        </div>
      ))}
    </>
  );
}

function TryForm({ plan, accounts, trial: { texts, errors, result } }: PlanView) {
  const { words, say } = useLocale(plansWords);
  const control = controlsOf(texts, errors);
  const classes = messageClassNames.map((value) => ({ value, label: words.counts.className[value] }));
  const numbers = { name: "numbers", label: say.numbers, hint: say.numbersHint, value: texts.numbers };
  const chosen = { name: "file", label: words.terms.file, hint: say.fileHint, error: errors.file };
  const others = [{ value: "", label: say.anyAccount }];
  return (
    <Card title={say.test} id="test">
      <PostForm class="form" action={planHref(plan.name, "/test#test")} encType="multipart/form-data">
        <TextArea {...numbers} rows={2} script="digits" />
        <FileField {...chosen} accept=".csv,text/csv" optional />
        <div class="form-row">
          <SelectField {...control("class")} label={say.class} options={classes} />
          <AccountField {...control("account")} label={say.account} {...{ accounts, others }} />
        </div>
        <FormButtons isSecond label={say.tryIt} />
      </PostForm>
      {result === null ? null : <Tried {...result} />}
    </Card>
  );
}

function Tried({ shown, total, byRule, noMobile }: NonNullable<PlanTrial["result"]>) {
  const { format, say } = useLocale(plansWords);
  const counts = byRule.map(({ rule, count }) =>
    rule === null
      ? say.takenByNone(format.count(count))
      : say.takenBy(say.inRule(format.number(rule)), format.count(count)),
  );
  const all = noMobile === 0 ? counts : [...counts, say.noMobiles(format.count(noMobile))];
  return (
    <>
      <p>{all.join(" · ")}</p>
      <Records label={say.test} columns={useTriedColumns()} rows={shown} keyOf={({ recipient }) => recipient} />
      {shown.length < total ? (
        <p class="muted">{say.shownOf(format.count(shown.length), format.count(total))}</p>
      ) : null}
    </>
  );
}

function useTriedColumns(): readonly Column<TriedNumber>[] {
  const { words, format } = useLocale();
  const { tried, noMobile, ownRoutes } = useWords(plansWords);
  const networkOf = ({ number, network }: TriedNumber) => {
    if (number === null) return "";
    return network === null ? words.terms.unknown : <Code>{network}</Code>;
  };
  const ruleOf = ({ rule }: TriedNumber) => (rule === null ? "–" : format.number(rule));
  const routesOf = ({ number, rule, targets }: TriedNumber) => {
    if (number === null) return <span class="ink-bad">{noMobile}</span>;
    return rule === null ? <span class="muted">{ownRoutes}</span> : <Targets targets={targets} />;
  };
  return [
    {
      head: words.terms.number,
      phone: "title",
      cell: ({ number, recipient }) => <Phone number={number ?? recipient} />,
    },
    { head: words.terms.network, phone: "aside", cell: networkOf },
    wordColumn(tried.rule, ruleOf),
    { head: words.places.routes, phone: "line", cell: routesOf },
  ];
}

function Senders({ plan, senders, given: { texts, errors } }: PlanView) {
  const say = useWords(plansWords);
  const mayChange = useMay("routes.change");
  const path = planHref(plan.name, "/senders");
  return (
    <Card title={say.senders} id="senders">
      {plan.senders.length === 0 ? <p class="muted">{say.noSenders}</p> : null}
      <ul class="uses">
        {plan.senders.map(({ account, sender }) => (
          <li key={`${account} ${sender}`}>
            <span>
              <Phone number={sender} />{" "}
              <a href={`/accounts/${account}`}>
                <Code>{account}</Code>
              </a>
            </span>
            {mayChange ? (
              <PostButton look="quiet small" action={path} name="use" value="no" label={say.leave}>
                <input type="hidden" name="sender" value={`${account}/${sender}`} />
              </PostButton>
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange && senders.length > 0 ? (
        <PostForm class="form narrow" action={path}>
          <ErrorSummary errors={errors} />
          <SenderField {...controlsOf(texts, errors)("sender")} label={say.give} senders={senders} />
          <FormButtons isSecond name="use" value="yes" label={say.doGive} />
        </PostForm>
      ) : null}
    </Card>
  );
}
