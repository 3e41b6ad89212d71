/** The form of a rule, either new or changed in place: what it matches, and the targets that share the messages. */

import { planLimits } from "../../../domain/plan-limits.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import { planRuleFields } from "../../../fields/plan-rule.ts";
import { Card } from "../../components/blocks.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors, type Option, TextField } from "../../components/forms.tsx";
import { Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { isListed } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { RouteField, type RouteOption } from "../accounts/sender-form.tsx";
import { senderWords } from "../accounts/words.ts";
import { planHref } from "./plans.tsx";
import { planRuleWords, plansWords } from "./words.ts";

/** As typed. */
export interface PlanRuleTexts {
  match: FieldTexts<typeof planRuleFields>;
  /** Routes in order, a later one being used while an earlier one is down; an empty weight means 1. */
  targets: readonly { routes: readonly string[]; weight: string }[];
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
  accounts: readonly Option[];
  routes: readonly RouteOption[];
}

/** In a target, before more are requested. */
const routesShown = 2;

/** `target`, `position`: from 0. */
export function fieldOfRoute(target: number, position: number): string {
  const first = target === 0 ? "targets" : `targets-${target}`;
  return position === 0 ? first : `route-${target}-${position}`;
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

function Match({ view: { fields, errors, networks, accounts: all } }: { view: PlanRuleView }) {
  const { language, words } = useLocale();
  const say = planRuleWords[language];
  const { networks: network, countries, ranges, accounts, classes } = planRuleFields;
  const said = {
    ...say.fields,
    networks: { ...say.fields.networks, options: networks.map((name) => ({ value: name, label: name })) },
    accounts: { ...say.fields.accounts, ...(isListed(all) && { options: all }) },
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
  const { language, format } = useLocale();
  const say = planRuleWords[language];
  return (
    <Card title={say.targets}>
      <div class="form">
        <p class="muted">{say.targetsHint}</p>
        {fields.targets.map((target, index) => (
          <fieldset class="form plan-target" key={String(index)}>
            <legend class="strong">{say.target(format.plain(index + 1))}</legend>
            <div class="form-row">
              <TargetRoutes index={index} chosen={target.routes} errors={errors} routes={routes} />
              <TextField
                name={`weight-${index}`}
                label={say.weight}
                value={target.weight}
                inputMode="numeric"
                script="digits"
                optional
              />
            </div>
          </fieldset>
        ))}
      </div>
    </Card>
  );
}

interface TargetRoutesProps extends Pick<PlanRuleView, "errors" | "routes"> {
  /** Of the target, from 0. */
  index: number;
  chosen: readonly string[];
}

function TargetRoutes({ index, chosen, errors, routes }: TargetRoutesProps) {
  const { language, format } = useLocale();
  const senders = senderWords[language];
  const shown = Math.min(planLimits.routesOfTarget, Math.max(routesShown, chosen.length + 1));
  return Array.from({ length: shown }, (_, position) => {
    const name = fieldOfRoute(index, position);
    return (
      <RouteField
        key={name}
        name={name}
        label={position === 0 ? senders.first : senders.further(format.plain(position + 1))}
        error={errors[name]}
        value={chosen[position] ?? ""}
        empty={senders.none}
        routes={routes}
        optional={index + position > 0}
      />
    );
  });
}
