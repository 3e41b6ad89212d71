/** Test keys: whatever the routes of their senders are, their messages go to the simulator alone and cost nothing. */
import { sandboxTargetId } from "../../domain/sandbox.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Judgement, ProspectiveMessage, Remark, TrafficRule } from "./traffic-rules.ts";

const remark: Remark = {
  rule: "sandbox",
  words: "Its key is a test key: the simulator takes it, and it counts in no report, quota or price.",
};

interface TestKeys {
  isTestKey(apiKeyId: number): boolean;
}

/** To speak before prices and routing plans, which leave its messages alone. */
export class SandboxRule implements TrafficRule {
  readonly #keys: TestKeys;

  constructor(keys: TestKeys) {
    this.#keys = keys;
  }

  apply({ apiKeyId }: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement {
    if (!this.#keys.isTestKey(apiKeyId)) return judgement;
    remarks?.push(remark);
    return { ...judgement, isTest: true, targetId: sandboxTargetId };
  }

  recall({ isTest }: Pick<MessageRow, "isTest">): Remark | null {
    return isTest === 1 ? remark : null;
  }
}
