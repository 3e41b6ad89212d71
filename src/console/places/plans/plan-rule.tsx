/** The form of a rule, either new or changed in place: what it matches, and the targets that share the messages. */
import { planRuleFields } from "../../../domain/declared-fields.ts";
import type { FieldTexts } from "../../../domain/field.ts";
import { planLimits } from "../../../domain/plan-limits.ts";
import { Card } from "../../components/blocks.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors, TextField } from "../../components/forms.tsx";
import { Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { planHref } from "./plans.tsx";
import { planRuleWords, plansWords } from "./words.ts";

/** As typed. */
export interface PlanRuleTexts {
  match: FieldTexts<typeof planRuleFields>;
  /** Routes in order, a later one being used while an earlier one is down; an empty weight means 1. */
  targets: readonly { routes: string; weight: string }[];
  /** Its position in the order; empty for the end. */
  number: string;
}

export interface PlanRuleView {
  plan: string;
  /** The rule being changed, and its values when the form was opened; null for a new one. */
  changed: { number: number; opened: string } | null;
  fields: PlanRuleTexts;
  errors: FieldErrors;
  /** The available choices. */
  networks: readonly string[];
  routes: readonly string[];
}

export function PlanRulePage({ shell, view }: { shell: Shell; view: PlanRuleView }) {
  const { language, words, format } = useLocale();
  const { plan, changed, fields, errors } = view;
  const say = planRuleWords[language];
  const title = changed === null ? say.title : say.changeTitle(format.number(changed.number));
  const path = changed === null ? "/rules/-new" : `/rules/${changed.number}/change`;
  return (
    <PageLayout shell={shell} title={title} above={{ title: plan, href: planHref(plan) }} lead={say.lead}>
      <PostForm class="stack" action={planHref(plan, path)}>
        <ErrorSummary errors={errors} />
        {changed === null ? null : <input type="hidden" name="opened" value={changed.opened} />}
        <Match view={view} />
        <Targets view={view} />
        <Card>
          <div class="form">
            {changed === null ? <Place view={view} /> : null}
            <p class="form-buttons">
              <button type="submit" class="button button-primary">
                {changed === null ? say.add : words.actions.save}
              </button>
              {fields.targets.length >= planLimits.targetsOfRule ? null : (
                <button type="submit" class="button button-quiet" name="more" value="yes">
                  <Icon name="plus" />
                  {say.more}
                </button>
              )}
            </p>
          </div>
        </Card>
      </PostForm>
    </PageLayout>
  );
}

function Place({ view: { fields, errors } }: { view: PlanRuleView }) {
  const say = planRuleWords[useLocale().language];
  return (
    <TextField
      name="number"
      label={say.number}
      hint={say.numberHint}
      error={errors.number}
      value={fields.number}
      size="short"
      inputMode="numeric"
      script="digits"
      optional
    />
  );
}

function Match({ view: { fields, errors, networks } }: { view: PlanRuleView }) {
  const { language, words } = useLocale();
  const say = planRuleWords[language];
  const { networks: network, countries, ranges, accounts, classes } = planRuleFields;
  const said = {
    ...say.fields,
    networks: { ...say.fields.networks, examples: [networks.join(", ")] },
    classes: { ...say.fields.classes, choices: words.counts.className },
  };
  const shared = { said, texts: fields.match, errors };
  return (
    <Card title={plansWords[language].rule.takes}>
      <div class="form">
        <DeclaredFields table={{ networks: network }} {...shared} />
        <div class="form-row">
          <DeclaredFields table={{ countries, ranges }} {...shared} />
        </div>
        <DeclaredFields table={{ accounts, classes }} {...shared} />
      </div>
    </Card>
  );
}

function Targets({ view: { fields, errors, routes } }: { view: PlanRuleView }) {
  const { language } = useLocale();
  const say = planRuleWords[language];
  return (
    <Card title={say.targets}>
      <div class="form">
        <p class="muted">
          {say.targetsHint} <Code>{routes.join(", ")}</Code>
        </p>
        {fields.targets.map(({ routes: typed, weight }, index) => (
          <div class="form-row" key={String(index)}>
            <TextField
              name={index === 0 ? "targets" : `targets-${index}`}
              label={say.routes}
              error={index === 0 ? errors.targets : undefined}
              value={typed}
              script="code"
              optional={index > 0}
            />
            <TextField
              name={`weight-${index}`}
              label={say.weight}
              value={weight}
              inputMode="numeric"
              script="digits"
              optional
            />
          </div>
        ))}
      </div>
    </Card>
  );
}
