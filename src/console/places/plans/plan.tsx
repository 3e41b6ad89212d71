/**
 * One routing plan: its rules as text and in order, its problems, a trial with numbers, and the senders that use it.
 */
import { type MessageClassName, messageClassNames } from "../../../domain/message.ts";
import type { PlanAnswer, PlanRuleAnswer, TriedNumber } from "../../../operator/plans.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import {
  ErrorSummary,
  type FieldErrors,
  FileField,
  type Option,
  SelectField,
  TextArea,
} from "../../components/forms.tsx";
import { Code, Icon, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField, SenderField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { pricesWords } from "../prices/words.ts";
import { planProblemSentence } from "./plan-problem.ts";
import { planHref } from "./plans.tsx";
import { planRuleWords, plansWords } from "./words.ts";

/** The form for trying numbers. */
export interface TriedFields {
  /** As typed. */
  numbers: string;
  class: MessageClassName;
  /** Evaluated as if this account had sent them; empty for any. */
  account: string;
}

export interface PlanTrial {
  fields: TriedFields;
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

export interface PlanView {
  plan: PlanAnswer;
  accounts: readonly Option[];
  /** The senders that it can be assigned to. */
  senders: readonly Option[];
  mayChange: boolean;
  trial: PlanTrial;
  /** The sender that it is assigned to, as typed. */
  given: { sender: string; errors: FieldErrors };
}

export function PlanPage({ shell, view }: { shell: Shell; view: PlanView }) {
  const { words } = useLocale();
  const { plan, mayChange } = view;
  return (
    <PageLayout
      shell={shell}
      title={plan.name}
      above={{ title: words.places.plans, href: "/plans" }}
      actions={mayChange ? <Actions name={plan.name} /> : null}
    >
      <div class="stack">
        <Problems problems={plan.problems} />
        <Rules view={view} />
        <TryForm view={view} />
        <Senders view={view} />
      </div>
    </PageLayout>
  );
}

function Actions({ name }: { name: string }) {
  const { language } = useLocale();
  return (
    <>
      <a class="button" href={planHref(name, "/remove")} data-dialog="">
        {plansWords[language].remove}
      </a>
      <a class="button button-primary" href={planHref(name, "/rules/-new")}>
        <Icon name="plus" />
        {planRuleWords[language].title}
      </a>
    </>
  );
}

function Problems({ problems }: Pick<PlanAnswer, "problems">) {
  const locale = useLocale();
  const { language, format } = locale;
  if (problems.length === 0) return null;
  const say = plansWords[language];
  return (
    <Notice tone="warn">
      <p class="strong">{say.problems}</p>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.rule} ${problem.message}`}>
            {problem.rule === null ? null : `${say.inRule(format.number(problem.rule))}: `}
            {planProblemSentence(problem, locale)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Rules({ view: { plan, mayChange } }: { view: PlanView }) {
  const locale = useLocale();
  const say = plansWords[locale.language];
  const changed: Column<PlanRuleAnswer> = {
    head: locale.words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ number }) => <RuleActions plan={plan} number={number} />,
  };
  const columns = ruleColumns(locale);
  return (
    <Card title={say.rules} flush>
      {plan.rules.length === 0 ? (
        <p class="muted card-form">{say.noRules}</p>
      ) : (
        <Records
          label={say.rules}
          columns={mayChange ? [...columns, changed] : columns}
          rows={plan.rules}
          keyOf={({ number }) => String(number)}
        />
      )}
    </Card>
  );
}

function RuleActions({ plan: { name, rules }, number }: { plan: PlanAnswer; number: number }) {
  const { language, format } = useLocale();
  const say = plansWords[language];
  const path = planHref(name, `/rules/${number}`);
  const labelOf = (what: string) => `${what}: ${say.inRule(format.number(number))}`;
  const move = (to: number, label: string) => (
    <PostForm action={`${path}/move`}>
      <button
        type="submit"
        class="button button-quiet button-small"
        name="to"
        value={String(to)}
        aria-label={labelOf(label)}
      >
        {label}
      </button>
    </PostForm>
  );
  return (
    <>
      {number === 1 ? null : move(number - 1, say.moveUp)}
      {number === rules.length ? null : move(number + 1, say.moveDown)}
      <a class="button button-quiet button-small" href={`${path}/change`} aria-label={labelOf(say.changeRule)}>
        {say.changeRule}
      </a>
      <a
        class="button button-quiet button-small"
        href={`${path}/remove`}
        data-dialog=""
        aria-label={labelOf(say.removeRule)}
      >
        {say.removeRule}
      </a>
    </>
  );
}

function ruleColumns(locale: Locale): readonly Column<PlanRuleAnswer>[] {
  const { language, format } = locale;
  const { rule } = plansWords[language];
  return [
    { head: rule.number, phone: "aside", named: true, cell: ({ number }) => format.number(number) },
    { head: rule.takes, phone: "title", cell: (one) => takesText(one, locale) },
    { head: rule.routes, phone: "line", cell: ({ targets }) => <Targets targets={targets} /> },
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
function Targets({ targets }: { targets: TriedNumber["targets"] }) {
  const { language, format } = useLocale();
  const say = plansWords[language];
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

function TryForm({ view: { plan, accounts, trial } }: { view: PlanView }) {
  const { language, words } = useLocale();
  const say = plansWords[language];
  const { fields, errors, result } = trial;
  return (
    <Card title={say.test} id="test">
      <PostForm class="form" action={planHref(plan.name, "/test#test")} encType="multipart/form-data">
        <TextArea
          name="numbers"
          label={say.numbers}
          hint={say.numbersHint}
          value={fields.numbers}
          rows={2}
          script="digits"
        />
        <FileField
          name="file"
          label={pricesWords[language].file}
          hint={say.fileHint}
          error={errors.file}
          accept=".csv,text/csv"
          optional
        />
        <div class="form-row">
          <SelectField
            name="class"
            label={say.class}
            value={fields.class}
            options={messageClassNames.map((value) => ({ value, label: words.counts.className[value] }))}
          />
          <AccountField
            label={say.account}
            value={fields.account}
            error={errors.account}
            accounts={accounts}
            others={[{ value: "", label: say.anyAccount }]}
          />
        </div>
        <p class="form-buttons">
          <button type="submit" class="button">
            {say.tryIt}
          </button>
        </p>
      </PostForm>
      {result === null ? null : <Tried result={result} />}
    </Card>
  );
}

function Tried({ result: { shown, total, byRule, noMobile } }: { result: NonNullable<PlanTrial["result"]> }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = plansWords[language];
  const counts = byRule.map(({ rule, count }) =>
    rule === null
      ? say.takenByNone(format.count(count))
      : say.takenBy(say.inRule(format.number(rule)), format.count(count)),
  );
  const all = noMobile === 0 ? counts : [...counts, say.noMobiles(format.count(noMobile))];
  return (
    <>
      <p>{all.join(" · ")}</p>
      <Records label={say.test} columns={triedColumns(locale)} rows={shown} keyOf={({ recipient }) => recipient} />
      {shown.length < total ? (
        <p class="muted">{say.shownOf(format.count(shown.length), format.count(total))}</p>
      ) : null}
    </>
  );
}

function triedColumns({ language, format }: Locale): readonly Column<TriedNumber>[] {
  const { tried, noMobile, ownRoutes, unknownNetwork } = plansWords[language];
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

function Senders({ view: { plan, senders, mayChange, given } }: { view: PlanView }) {
  const { language } = useLocale();
  const say = plansWords[language];
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
              <PostForm action={path}>
                <input type="hidden" name="sender" value={`${account}/${sender}`} />
                <button type="submit" class="button button-quiet button-small" name="use" value="no">
                  {say.leave}
                </button>
              </PostForm>
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange && senders.length > 0 ? (
        <PostForm class="form narrow" action={path}>
          <ErrorSummary errors={given.errors} />
          <SenderField
            name="sender"
            label={say.give}
            value={given.sender}
            error={given.errors.sender}
            senders={senders}
          />
          <p class="form-buttons">
            <button type="submit" class="button" name="use" value="yes">
              {say.doGive}
            </button>
          </p>
        </PostForm>
      ) : null}
    </Card>
  );
}

export function removePlanQuestion(name: string, { language, words }: Locale): ConfirmView {
  const say = plansWords[language];
  return {
    question: say.removeAsk(name),
    goes: [say.removeGoes],
    stays: [say.removeStays],
    action: planHref(name, "/remove"),
    doIt: say.removeDo(name),
    keep: words.confirm.keep,
    back: planHref(name),
  };
}

export function removeRuleQuestion(name: string, number: number, { language, format, words }: Locale): ConfirmView {
  const say = plansWords[language];
  return {
    question: say.removeRuleAsk(format.number(number), name),
    goes: [say.removeRuleGoes],
    stays: [say.removeRuleStays],
    action: planHref(name, `/rules/${number}/remove`),
    doIt: say.removeRuleDo,
    keep: words.confirm.keep,
    back: planHref(name),
  };
}
