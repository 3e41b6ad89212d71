/** Problems of a routing plan and the rules they concern, in English. Another language is another table. */

/** The values in each problem's sentence. */
export interface PlanProblemValues {
  /** Its networks have no number ranges. */
  no_number_fits: object;
  /** Numbers of the earlier rules that match everything it would. */
  shadowed: { by: readonly number[] };
  /** Names of the accounts it matches, none of which uses the plan. */
  accounts_do_not_use_plan: { accounts: readonly string[] };
  /** The routes of each of its targets: none is enabled. */
  routes_disabled: { targets: readonly (readonly string[])[] };
  /** The same for only some of its targets. */
  target_routes_disabled: { targets: readonly (readonly string[])[] };
  /** These senders have no routes of their own, so messages that match no rule wait until they expire. */
  sender_has_no_routes: { senders: readonly string[] };
}

export type PlanProblemCode = keyof PlanProblemValues;

export type PlanProblem<Code extends PlanProblemCode = PlanProblemCode> = {
  [One in Code]: {
    /** Counts from 1; null for the plan as a whole. */
    rule: number | null;
    code: One;
    values: PlanProblemValues[One];
  };
}[Code];

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
