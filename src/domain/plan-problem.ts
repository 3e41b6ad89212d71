/** Problems of a routing plan and the rules they concern: codes and values. */

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
