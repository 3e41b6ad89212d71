/** Routing plans, their rules and targets in words. */
import { accountIdText } from "../../domain/id-text.ts";
import { className } from "../../domain/message.ts";
import { rangeText } from "../../domain/number-range.ts";
import { isAnyNumber, type RuleMatch } from "../../domain/routing-rule.ts";
import type { PlanTargetRow } from "../../store/plans.ts";
import type { Directory } from "../directory/directory.ts";
import type { Networks } from "./networks.ts";
import type { Plan, TakingRule } from "./plans.ts";

export type PlanWords = ReturnType<typeof planWords>;

export function planWords(
  directory: Pick<Directory, "routeById" | "senderById" | "routesOf" | "account">,
  networks: Pick<Networks, "nameOf">,
) {
  const senderName = (senderId: number) => directory.senderById(senderId)?.sender ?? `sender ${senderId}`;
  const routeName = (routeId: number) => directory.routeById(routeId)?.name ?? `route ${routeId}`;
  const inOrder = (routeIds: readonly number[]) => routeIds.map(routeName).join(", then ");

  const matchText = (match: RuleMatch): string => {
    const { countries, ranges, networks: networkIds, classes, accounts } = match;
    const numbers = [...networkIds.map((id) => networks.nameOf(id)), ...countries, ...ranges.map(rangeText)];
    const names = classes.map(className);
    return [
      isAnyNumber(match) ? "all numbers" : `numbers of ${numbers.join(", ")}`,
      ...(names.length === 0 ? [] : [`class ${names.join(", ")}`]),
      ...(accounts.length === 0
        ? []
        : [`of ${accounts.map((id) => directory.account(id)?.name ?? accountIdText(id)).join(", ")}`]),
    ].join("; ");
  };

  return {
    matchText,

    noPlan(senderId: number): string {
      const own = directory.routesOf(senderId);
      if (own.length === 0) return `${senderName(senderId)} uses no routing plan, and there is no route for it.`;
      return `${senderName(senderId)} uses no routing plan; it goes by the sender's own routes: ${inOrder(own)}.`;
    },

    noRule({ name }: Plan, senderId: number): string {
      const own = directory.routesOf(senderId);
      if (own.length === 0)
        return `No rule of plan ${name} takes it, and ${senderName(senderId)} has no routes of its own.`;
      return `No rule of plan ${name} takes it, so the sender's own routes do: ${inOrder(own)}.`;
    },

    taken({ name }: Plan, { rule, number }: TakingRule, target: PlanTargetRow): string {
      const sum = rule.targets.reduce((total, { weight }) => total + weight, 0);
      const share = rule.targets.length === 1 ? "" : `, by its target with ${target.weight} of ${sum} parts`;
      return `Rule ${number} of plan ${name} takes it (${matchText(rule.match)})${share}. Routes: ${inOrder(target.routeIds)}.`;
    },
  };
}
