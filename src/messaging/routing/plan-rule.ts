/** Chooses the target of a message in its sender's routing plan. */
import type { MessageRow } from "../../store/messages.ts";
import type { ProspectiveMessage, Remark, TrafficDecision, TrafficRule } from "../rules/traffic-rules.ts";
import type { PlanWords } from "./plan-words.ts";
import type { Plans } from "./plans.ts";

const rule = "plan";

export class RoutingPlanRule implements TrafficRule {
  readonly #plans: Plans;
  readonly #words: PlanWords;

  constructor(plans: Plans, words: PlanWords) {
    this.#plans = plans;
    this.#words = words;
  }

  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    // An earlier rule has already chosen, so the plan does not apply.
    if (decision.targetId !== 0) return decision;
    const plan = this.#plans.ofSender(message.senderId);
    if (plan === null) {
      remarks?.push({ rule, words: this.#words.noPlan(message.senderId) });
      return decision;
    }
    const { accountId, class: messageClass, recipient, partCount } = message;
    const taking = this.#plans.ruleFor(plan, { accountId, class: messageClass, recipient, network: decision.network });
    if (taking === null) {
      remarks?.push({ rule, words: this.#words.noRule(plan, message.senderId) });
      return decision;
    }
    const target = this.#plans.nextTarget(taking.rule, partCount);
    if (target !== null) remarks?.push({ rule, words: this.#words.taken(plan, taking, target) });
    return { ...decision, targetId: target?.id ?? 0 };
  }

  recall({ targetId, senderId }: Pick<MessageRow, "targetId" | "senderId">): Remark | null {
    // Chosen by another rule.
    if (targetId < 0) return null;
    if (targetId > 0) {
      const found = this.#plans.target(targetId);
      const words =
        found === null
          ? "The target that it was accepted for is gone."
          : this.#words.taken(found.plan, found, found.target);
      return { rule, words };
    }
    const plan = this.#plans.ofSender(senderId);
    return { rule, words: plan === null ? this.#words.noPlan(senderId) : this.#words.noRule(plan, senderId) };
  }
}
