/** Problems of a routing plan and the rules they concern, in English. */
import type { Coded, SentencesOf, ValuesOfSentences } from "./coded.ts";

const targetNames = (targets: readonly (readonly string[])[]) => targets.map((routes) => routes.join(", ")).join("; ");

const english = {
  /** Its networks have no number ranges. */
  no_number_fits: () => "No number fits it: its network has no number ranges.",
  /** Numbers of the earlier rules that match everything it would. */
  shadowed: ({ by }: { by: readonly number[] }) =>
    by.length === 1
      ? `It takes nothing: rule ${by[0]} before it takes all that it would.`
      : `It takes nothing: rules ${by.join(", ")} before it take all that it would.`,
  /** Names of the accounts it matches, none of which uses the plan. */
  accounts_do_not_use_plan: ({ accounts }: { accounts: readonly string[] }) =>
    `It takes nothing: no sender of ${accounts.join(", ")} uses this plan.`,
  /** The routes of each of its targets: none is enabled. */
  routes_disabled: ({ targets }: { targets: readonly (readonly string[])[] }) =>
    `Messages for it wait: none of its routes is enabled (${targetNames(targets)}).`,
  /** The same for only some of its targets. */
  target_routes_disabled: ({ targets }: { targets: readonly (readonly string[])[] }) =>
    `Messages for ${targets.length === 1 ? "one" : targets.length} of its targets wait: no route there is enabled (${targetNames(targets)}).`,
  /** These senders have no routes of their own, so messages that match no rule wait until they expire. */
  sender_has_no_routes: ({ senders }: { senders: readonly string[] }) =>
    `Messages that no rule takes wait until they expire: ${senders.join(", ")} has no routes of its own. Add a rule for all numbers at the end, or give the sender routes.`,
};

type PlanProblemValues = ValuesOfSentences<typeof english>;
export type PlanProblemTexts = SentencesOf<PlanProblemValues>;
export const englishPlanProblems: PlanProblemTexts = english;
export type PlanProblemCode = keyof PlanProblemValues;

/** `rule` counts from 1; null for the plan as a whole. */
export type PlanProblem<Code extends PlanProblemCode = PlanProblemCode> = { rule: number | null } & Coded<
  PlanProblemValues,
  Code
>;
