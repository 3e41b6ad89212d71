/** Problems of a routing plan: rules that match nothing, targets that send nothing, messages that no rule matches. */

import { accountIdText } from "../../domain/id-text.ts";
import type { PlanProblem } from "../../domain/plan-problem.ts";
import type { RuleMatch } from "../../domain/routing-rule.ts";
import { type RuleFault, ruleFaults } from "../../domain/rule-cover.ts";
import type { PlanTargetRow } from "../../store/plans.ts";
import type { Directory } from "../directory/directory.ts";
import type { Networks } from "./networks.ts";
import type { Plan } from "./plans.ts";

export interface PlanProblemsDeps {
  directory: Pick<Directory, "activeSenders" | "routeById" | "account">;
  networks: Pick<Networks, "rangesOf">;
}

const everything: RuleMatch = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };

export function planProblems(plan: Plan, { directory, networks }: PlanProblemsDeps): PlanProblem[] {
  const users = directory.activeSenders().filter(({ planId }) => planId === plan.id);
  const userIds = users.map(({ accountId }) => accountId);
  const faults = ruleFaults([...plan.rules.map(({ match }) => match), everything], (id) => networks.rangesOf(id));
  const problems = plan.rules.flatMap(({ match, targets }, index): PlanProblem[] => {
    const rule = index + 1;
    const stopped = targets.filter(({ routeIds }) => routeIds.every((id) => directory.routeById(id)?.enabled !== true));
    return [
      ...unreachable(rule, faults[index] ?? null),
      ...strangers(rule, match, userIds, directory),
      ...stoppedTargets(rule, stopped, targets.length, directory),
    ];
  });
  if (faults.at(-1) !== null) return problems;
  const stranded = users.filter(({ routeIds }) => routeIds.length === 0).map(({ sender }) => sender);
  if (stranded.length === 0) return problems;
  const values = { senders: stranded.slice(0, sendersNamedMax) };
  return [...problems, { rule: null, code: "sender_has_no_routes", values }];
}

const sendersNamedMax = 5;

function unreachable(rule: number, fault: RuleFault | null): PlanProblem[] {
  if (fault === null) return [];
  if (fault.kind === "empty") return [{ rule, code: "no_number_fits", values: {} }];
  return [{ rule, code: "shadowed", values: { by: fault.by.map((index) => index + 1) } }];
}

/** The rule names only accounts that do not send by this plan. */
function strangers(
  rule: number,
  match: RuleMatch,
  userIds: readonly number[],
  directory: Pick<Directory, "account">,
): PlanProblem[] {
  if (userIds.length === 0 || match.accounts.length === 0) return [];
  if (match.accounts.some((id) => userIds.includes(id))) return [];
  const accounts = match.accounts.map((id) => directory.account(id)?.name ?? accountIdText(id));
  return [{ rule, code: "accounts_do_not_use_plan", values: { accounts } }];
}

/** `stopped`: the rule's targets without an enabled route. */
function stoppedTargets(
  rule: number,
  stopped: readonly PlanTargetRow[],
  targetCount: number,
  directory: Pick<Directory, "routeById">,
): PlanProblem[] {
  if (stopped.length === 0) return [];
  const targets = stopped.map(({ routeIds }) => routeIds.map((id) => directory.routeById(id)?.name ?? `route ${id}`));
  if (stopped.length === targetCount) return [{ rule, code: "routes_disabled", values: { targets } }];
  return [{ rule, code: "target_routes_disabled", values: { targets } }];
}
