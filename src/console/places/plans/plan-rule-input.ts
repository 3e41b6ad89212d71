/** What the form of a plan's rule holds, and what it means to the operator API. */
import { planLimits } from "../../../domain/plan-limits.ts";
import { planRuleFields } from "../../../fields/plan-rule.ts";
import type { PlanRuleAnswer } from "../../../operator/plans.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput, typedNumber, typedNumberOr } from "../../format/input.ts";
import type { FormFields } from "../../forms/form-fields.ts";
import type { Locale } from "../../locale.ts";
import { postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import type { PageCall } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { fieldOfRoute, freeTarget, type PlanRuleTexts, type TypedTarget } from "./plan-rule.tsx";

interface TypedRule {
  texts: PlanRuleTexts;
  targets: readonly TypedTarget[];
}

const matchesAll = { networks: "", countries: "", ranges: "", accounts: "", classes: "" };

/** How many targets are shown before more are requested. */
const targetsFirst = 2;

const withFree = (targets: readonly TypedTarget[]): TypedTarget[] => [
  ...targets,
  ...Array.from({ length: targetsFirst - targets.length }, () => freeTarget),
];

export const newRule: TypedRule = { texts: { ...matchesAll, number: "" }, targets: withFree([]) };

/** Gaps close up, and a route chosen twice counts once. */
function typedRoutes(form: FormFields, target: number): string[] {
  const chosen = Array.from({ length: planLimits.routesOfTarget }, (_, position) =>
    cleanInput(form.text(fieldOfRoute(target, position))),
  );
  return [...new Set(chosen.filter((name) => name !== ""))];
}

export function typedRule({ form }: PageCall): TypedRule {
  const indexes = Array.from({ length: targetsFirst }, (_, index) => index);
  for (let next = targetsFirst; form.has(fieldOfRoute(next, 0)); next += 1) indexes.push(next);
  return {
    texts: { ...postedTexts(planRuleFields, form, matchesAll), number: form.text("number") },
    targets: indexes.map((index) => ({ routes: typedRoutes(form, index), weight: form.text(`weight-${index}`) })),
  };
}

/** As the form of a rule shows it; `opened`: what it is compared with when the form is posted. */
export function textsOfRule(rule: PlanRuleAnswer, locale: Locale): TypedRule & { opened: string } {
  const match = shownTexts(planRuleFields, rule, locale);
  const targets = rule.targets.map(({ routes, weight }) => ({ routes, weight: String(weight) }));
  const opened = JSON.stringify({ match, targets, number: "" });
  return { texts: { ...match, number: "" }, targets: withFree(targets), opened };
}

export const ruleIn = ({ texts, targets }: TypedRule, locale: Locale) => ({
  ...typedValues(planRuleFields, texts, locale),
  targets: targets
    .filter(({ routes }) => routes.length > 0)
    .map(({ routes, weight }) => ({ routes: [...routes], ...(weight !== "" && { weight: typedNumber(weight) }) })),
  number: typedNumberOr(undefined, texts.number),
});

/** Errors for the form's fields. @throws anything that is not a refusal of the form */
export function refusedRule(reason: unknown, { locale }: PageCall): FieldErrors {
  const at = { route_not_found: "targets", plan_rule_not_found: "number" } as const;
  const { routes, sender, "": whole, body, ...errors } = refusedFields(reason, locale, at);
  const targets = errors.targets ?? routes ?? sender ?? whole ?? body;
  return targets === undefined ? errors : { ...errors, targets };
}
