/** The form of a rule, either new or changed in place: what it matches, and the targets that share the messages. */
import { planLimits } from "../../../domain/plan-limits.ts";
import { type FieldTexts, pick } from "../../../fields/field.ts";
import { newPlanRuleFields, planRuleFields } from "../../../fields/plan-rule.ts";
import { Card } from "../../components/blocks.tsx";
import { FormButtons, SubmitButton } from "../../components/buttons.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors, type Option, TextField } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { RouteField, type RouteOption } from "../accounts/sender-form.tsx";
import { senderWords } from "../accounts/words.ts";
import { planHref } from "./plans.tsx";
import { planRuleWords, plansWords } from "./words.ts";

export interface PlanRuleTexts extends FieldTexts<typeof planRuleFields> {
  /** Its position in the order; empty for the end. */
  number: string;
}

/** Routes in order, a later one being used while an earlier one is down; an empty weight means 1. */
export interface TypedTarget {
  routes: readonly string[];
  weight: string;
}

export const freeTarget: TypedTarget = { routes: [], weight: "" };

interface PlanRule {
  plan: string;
  /** The rule being changed, and its values when the form was opened; null for a new one. */
  changed: { number: number; opened: string } | null;
  texts: PlanRuleTexts;
  targets: readonly TypedTarget[];
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

export function PlanRulePage(rule: PlanRule) {
  const { words, format, say } = useLocale(planRuleWords);
  const { plan, changed, texts, targets, errors } = rule;
  const title = changed === null ? say.title : say.changeTitle(format.number(changed.number));
  const path = changed === null ? "/rules/-new" : `/rules/${changed.number}/change`;
  const { fields } = say;
  return (
    <PageLayout title={title} above={{ title: plan, href: planHref(plan) }} lead={say.lead}>
      <PostForm class="stack" action={planHref(plan, path)}>
        {changed === null ? null : <input type="hidden" name="opened" value={changed.opened} />}
        <Match {...rule} />
        <Targets {...rule} />
        <Card>
          <div class="form">
            {changed === null ? (
              <DeclaredFields
                table={pick(newPlanRuleFields, "number")}
                said={fields}
                texts={{ ...texts }}
                errors={errors}
              />
            ) : null}
            <FormButtons label={changed === null ? say.add : words.actions.save}>
              {targets.length >= planLimits.targetsOfRule ? null : (
                <SubmitButton look="quiet" name="more" value="yes" icon="plus" label={say.more} />
              )}
            </FormButtons>
          </div>
        </Card>
      </PostForm>
    </PageLayout>
  );
}

function Match({ texts, errors, networks, accounts: all }: PlanRule) {
  const { words } = useLocale();
  const { fields } = useWords(planRuleWords);
  const { rule } = useWords(plansWords);
  const said = {
    ...fields,
    networks: { ...fields.networks, options: networks.map((name) => ({ value: name, label: name })) },
    accounts: { ...fields.accounts, ...(isListed(all) && { options: all }) },
    classes: { ...fields.classes, choices: words.counts.className },
  };
  // What is often needed comes first.
  const table = pick(planRuleFields, "networks", "countries", "ranges", "accounts", "classes");
  return (
    <Card title={rule.takes}>
      <div class="form">
        <ErrorSummary errors={errors} />
        <DeclaredFields row="form-row" table={table} {...{ said, errors }} texts={{ ...texts }} />
      </div>
    </Card>
  );
}

function Targets({ targets, errors, routes }: PlanRule) {
  const { format, say } = useLocale(planRuleWords);
  const weight = { label: say.weight, inputMode: "numeric", script: "digits", optional: true } as const;
  return (
    <Card title={say.targets}>
      <div class="form">
        <p class="muted">{say.targetsHint}</p>
        {targets.map((target, index) => (
          <fieldset class="form plan-target" key={String(index)}>
            <legend class="strong">{say.target(format.plain(index + 1))}</legend>
            <div class="form-row">
              <TargetRoutes index={index} chosen={target.routes} errors={errors} routes={routes} />
              <TextField {...weight} name={`weight-${index}`} value={target.weight} />
            </div>
          </fieldset>
        ))}
      </div>
    </Card>
  );
}

interface TargetRoutesProps extends Pick<PlanRule, "errors" | "routes"> {
  /** Of the target, from 0. */
  index: number;
  chosen: readonly string[];
}

function TargetRoutes({ index, chosen, errors, routes }: TargetRoutesProps) {
  const { format, say: senders } = useLocale(senderWords);
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
