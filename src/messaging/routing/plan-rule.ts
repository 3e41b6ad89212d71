/** Decides by which target of its sender's routing plan a message goes. */
import type { MessageRow } from "../../store/messages.ts";
import type { Judgement, ProspectiveMessage, Remark, TrafficRule } from "../rules/traffic-rules.ts";
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

  apply(message: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement {
    // A rule before this one has chosen: the plan has no say.
    if (judgement.targetId !== 0) return judgement;
    const plan = this.#plans.ofSender(message.senderId);
    if (plan === null) {
      remarks?.push({ rule, words: this.#words.noPlan(message.senderId) });
      return judgement;
    }
    const { accountId, class: messageClass, recipient, partCount } = message;
    const taking = this.#plans.ruleFor(plan, { accountId, class: messageClass, recipient, network: judgement.network });
    if (taking === null) {
      remarks?.push({ rule, words: this.#words.noRule(plan, message.senderId) });
      return judgement;
    }
    const target = this.#plans.nextTarget(taking.rule, partCount);
    if (target !== null) remarks?.push({ rule, words: this.#words.taken(plan, taking, target) });
    return { ...judgement, targetId: target?.id ?? 0 };
  }

  recall({ targetId, senderId }: Pick<MessageRow, "targetId" | "senderId">): Remark | null {
    // Another rule chose it.
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
