/** Notes that the log proves pages of the leading node wrong, so that this node does not take over again after its next start. */
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import { forgetDifference, noteDifference } from "./comparison.ts";
import type { NodeState } from "./engine.ts";

export interface LeaderDamageDeps {
  folder: string;
  /** The name of this node. */
  name: string;
  log: Logger;
}

export class LeaderDamage {
  #isNoted = false;

  constructor(private readonly deps: LeaderDamageDeps) {}

  /** What all nodes tell of themselves, the silent ones too. Call from time to time. */
  told(nodes: readonly NodeState[]): void {
    const { folder, name, log } = this.deps;
    const others = nodes.filter((node) => node.name !== name);
    // A silent node may have judged a leader before this one.
    const isOfThis = ({ differs }: NodeState) => differs?.wrong === "leader" && differs.leader === name;
    const proof = others.find(isOfThis)?.differs ?? null;
    const isDisproved = proof === null && others.some(({ compared }) => compared !== null);
    try {
      if (proof !== null && !this.#isNoted) {
        noteDifference(folder, { ...proof, wrong: "own" });
        this.#isNoted = true;
        const { entry, pages } = proof;
        log.error({ entry, pages }, "the log proves pages of this node wrong: it does not take over again as it is");
      } else if (isDisproved && this.#isNoted) {
        forgetDifference(folder);
        this.#isNoted = false;
      }
    } catch (reason) {
      log.error({ reason: errorMessage(reason) }, "a difference from another node's file was not noted");
    }
  }
}
