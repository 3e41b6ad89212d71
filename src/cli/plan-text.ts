/** How commands print routing plans. */
import { counted } from "../domain/counted.ts";
import type { SenderAnswer } from "../operator/answers.ts";
import type { PlanAnswer } from "../operator/plans.ts";
import { formatTable, joinLines } from "./text.ts";

interface TargetText {
  weight: number;
  routes: readonly string[];
}

export function usedText({ account, sender, plan, routes }: SenderAnswer): string {
  const own =
    routes.length === 0 ? "waits, since it has no routes of its own" : `goes by its own routes ${routes.join(", ")}`;
  const used = plan === null ? "uses no plan; what it sends" : `uses plan ${plan}; what no rule takes`;
  return joinLines([`Sender ${sender} of ${account} ${used} ${own}.`]);
}

export function planTable(plans: readonly PlanAnswer[]): string {
  if (plans.length === 0) return "There are no plans. Create one: peyk plan create NAME\n";
  const rows = plans.map(({ name, rules, senders, problems }) => [
    name,
    String(rules.length),
    String(senders.length),
    problems.length === 0 ? "-" : counted(problems.length, "problem"),
  ]);
  return formatTable(["PLAN", "RULES", "SENDERS", "WRONG"], rows);
}

/** Routes in order, and each target's share where there are several. */
export function targetsText(targets: readonly TargetText[]): string {
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  const share = (weight: number) => (targets.length === 1 ? "" : ` (${Math.round((weight / sum) * 1_000) / 10} %)`);
  return targets.map(({ routes, weight }) => `${routes.join(", ")}${share(weight)}`).join("; ");
}

export function planText({ name, rules, senders, problems }: PlanAnswer): string {
  const using = senders.map(({ account, sender }) => `${account}/${sender}`).join(", ");
  return [
    joinLines([`Plan ${name}${using === "" ? ", which no sender uses yet (peyk plan use)" : `, used by ${using}`}`]),
    rules.length === 0
      ? joinLines([`It has no rules. Add one: peyk plan rule add ${name} --help`])
      : formatTable(
          ["RULE", "TAKES", "ROUTES"],
          rules.map(({ number, takes, targets }) => [String(number), takes, targetsText(targets)]),
        ),
    ...(problems.length === 0 ? [] : [joinLines(problems.map(problemText))]),
  ].join("\n");
}

const problemText = ({ rule, message }: PlanAnswer["problems"][number]) =>
  rule === null ? message : `Rule ${rule}: ${message}`;
