/** English: problems of a routing plan. */
import type { PlanProblem, PlanProblemCode, PlanProblemValues } from "../../domain/plan-problem.ts";

export type PlanProblemTexts = { readonly [Code in PlanProblemCode]: (values: PlanProblemValues[Code]) => string };

const targetNames = (targets: readonly (readonly string[])[]) => targets.map((routes) => routes.join(", ")).join("; ");

export const englishPlanProblems: PlanProblemTexts = {
  no_number_fits: () => "No number fits it: its network has no number ranges.",
  shadowed: ({ by }) =>
    by.length === 1
      ? `It takes nothing: rule ${by[0]} before it takes all that it would.`
      : `It takes nothing: rules ${by.join(", ")} before it take all that it would.`,
  accounts_do_not_use_plan: ({ accounts }) => `It takes nothing: no sender of ${accounts.join(", ")} uses this plan.`,
  routes_disabled: ({ targets }) => `Messages for it wait: none of its routes is enabled (${targetNames(targets)}).`,
  target_routes_disabled: ({ targets }) =>
    `Messages for ${targets.length === 1 ? "one" : targets.length} of its targets wait: no route there is enabled (${targetNames(targets)}).`,
  sender_has_no_routes: ({ senders }) =>
    `Messages that no rule takes wait until they expire: ${senders.join(", ")} has no routes of its own. Add a rule for all numbers at the end, or give the sender routes.`,
};

export function planProblemText<Code extends PlanProblemCode>(
  { code, values }: PlanProblem<Code>,
  texts = englishPlanProblems,
): string {
  return texts[code](values);
}
