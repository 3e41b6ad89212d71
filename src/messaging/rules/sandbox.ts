/** Test keys: whatever routes their senders have, their messages go only to the simulator and cost nothing. */
import { sandboxTargetId } from "../../domain/sandbox.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { ProspectiveMessage, Remark, TrafficDecision, TrafficRule } from "./traffic-rules.ts";

const remark: Remark = {
  rule: "sandbox",
  words: "Its key is a test key: the simulator takes it, and it counts in no report, quota or price.",
};

interface TestKeys {
  isTestKey(apiKeyId: number): boolean;
}

/** Must run before prices and routing plans, which then leave its messages alone. */
export class SandboxRule implements TrafficRule {
  readonly #keys: TestKeys;

  constructor(keys: TestKeys) {
    this.#keys = keys;
  }

  apply({ apiKeyId }: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    if (!this.#keys.isTestKey(apiKeyId)) return decision;
    remarks?.push(remark);
    return { ...decision, isTest: true, targetId: sandboxTargetId };
  }

  recall({ isTest }: Pick<MessageRow, "isTest">): Remark | null {
    return isTest === 1 ? remark : null;
  }
}
