/** What is wrong with a routing plan as it stands: rules that take nothing, targets that send nothing, messages that no rule takes. */

import { accountIdText } from "../../domain/id-text.ts";
import type { RuleMatch } from "../../domain/routing-rule.ts";
import { ruleFaults } from "../../domain/rule-cover.ts";
import type { PlanTargetRow } from "../../store/plans.ts";
import type { Directory } from "../directory/directory.ts";
import type { Networks } from "./networks.ts";
import type { Plan } from "./plans.ts";

export interface PlanProblem {
  /** Counts from 1; null for the plan as a whole. */
  rule: number | null;
  message: string;
}

export interface PlanProblemsDeps {
  directory: Pick<Directory, "activeSenders" | "routeById" | "account">;
  networks: Pick<Networks, "rangesOf">;
}

const everything: RuleMatch = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };

export function planProblems(plan: Plan, { directory, networks }: PlanProblemsDeps): PlanProblem[] {
  const users = directory.activeSenders().filter(({ planId }) => planId === plan.id);
  const faults = ruleFaults([...plan.rules.map(({ match }) => match), everything], (id) => networks.rangesOf(id));
  const problems = plan.rules.flatMap(({ match, targets }, index): PlanProblem[] => {
    const rule = index + 1;
    const fault = faults[index] ?? null;
    const stopped = targets.filter(({ routeIds }) => routeIds.every((id) => directory.routeById(id)?.enabled !== true));
    return [
      ...(fault === null ? [] : [{ rule, message: faultText(fault) }]),
      ...strangers(
        match,
        users.map(({ accountId }) => accountId),
        directory,
      ).map((message) => ({ rule, message })),
      ...(stopped.length === 0 ? [] : [{ rule, message: stoppedText(stopped, targets.length, directory) }]),
    ];
  });
  if (faults.at(-1) !== null) return problems;
  const stranded = users.filter(({ routeIds }) => routeIds.length === 0).map(({ sender }) => sender);
  if (stranded.length === 0) return problems;
  const message = `Messages that no rule takes wait until they expire: ${stranded.slice(0, 5).join(", ")} has no routes of its own. Add a rule for all numbers at the end, or give the sender routes.`;
  return [...problems, { rule: null, message }];
}

function faultText(fault: NonNullable<ReturnType<typeof ruleFaults>[number]>): string {
  if (fault.kind === "empty") return "No number fits it: its network has no number ranges.";
  const before = fault.by.map((index) => index + 1).join(", ");
  return fault.by.length === 1
    ? `It takes nothing: rule ${before} before it takes all that it would.`
    : `It takes nothing: rules ${before} before it take all that it would.`;
}

/** The rule names accounts alone that do not send by this plan. */
function strangers(match: RuleMatch, userIds: readonly number[], directory: Pick<Directory, "account">): string[] {
  if (userIds.length === 0 || match.accounts.length === 0) return [];
  if (match.accounts.some((id) => userIds.includes(id))) return [];
  const names = match.accounts.map((id) => directory.account(id)?.name ?? accountIdText(id)).join(", ");
  return [`It takes nothing: no sender of ${names} uses this plan.`];
}

/** `stopped`: those of the rule's targets that have no enabled route. */
function stoppedText(
  stopped: readonly PlanTargetRow[],
  targetCount: number,
  directory: Pick<Directory, "routeById">,
): string {
  const routeNames = ({ routeIds }: PlanTargetRow) =>
    routeIds.map((id) => directory.routeById(id)?.name ?? `route ${id}`).join(", ");
  const names = stopped.map(routeNames).join("; ");
  if (stopped.length === targetCount) return `Messages for it wait: none of its routes is enabled (${names}).`;
  const sharing = stopped.length === 1 ? "one of its targets" : `${stopped.length} of its targets`;
  return `Messages for ${sharing} wait: no route there is enabled (${names}).`;
}
