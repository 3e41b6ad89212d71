/** Test keys: whatever the routes of their senders are, their messages go to the simulator alone and cost nothing. */
import { sandboxTargetId } from "../../domain/sandbox.ts";
import type { Judgement, ProspectiveMessage, Remark, TrafficRule } from "./traffic-rules.ts";

interface TestKeys {
  isTestKey(apiKeyId: number): boolean;
}

/** To speak last: it overrules the routing and the prices of the rules before it. */
export class SandboxRule implements TrafficRule {
  readonly #keys: TestKeys;

  constructor(keys: TestKeys) {
    this.#keys = keys;
  }

  apply({ apiKeyId }: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement {
    if (!this.#keys.isTestKey(apiKeyId)) return judgement;
    const words = "Its key is a test key: the simulator takes it, and it counts in no report, quota or price.";
    remarks?.push({ rule: "sandbox", words });
    return { ...judgement, isTest: true, targetId: sandboxTargetId, price: null, cost: null };
  }
}

interface TargetRoutes {
  routesOf(senderId: number, targetId: number): readonly number[];
}

/** The routes of a target as the dispatcher asks for them: that of the sandbox is the simulator's, never a sender's. */
export function sandboxedRoutesOf(others: TargetRoutes, { sandboxRoutes }: { sandboxRoutes(): readonly number[] }) {
  return (senderId: number, targetId: number): readonly number[] =>
    targetId === sandboxTargetId ? sandboxRoutes() : others.routesOf(senderId, targetId);
}
