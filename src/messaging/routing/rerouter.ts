/**
 * Routes messages again whose target is gone: its rule was removed, or their sender now uses another plan. Messages
 * whose target still exists keep it. Nothing is priced or counted again.
 */
import { type Background, background } from "../../platform/background.ts";
import type { Logger } from "../../platform/log.ts";
import type { MessageRow } from "../../store/messages.ts";
import { type LaneKey, laneStart } from "../../store/queue.ts";
import type { Store } from "../../store/store.ts";
import type { QueuedMessage } from "../messages/accept.ts";
import { type TrafficRules, undecided } from "../rules/traffic-rules.ts";
import type { Plans } from "./plans.ts";

/** Messages per transaction: about 3 ms. */
const sliceMessages = 200;

export interface RerouterDeps {
  store: Store;
  log: Logger;
  plans: Plans;
  rules: TrafficRules;
  /** Called with messages that now wait in another lane. */
  moved(waiting: readonly QueuedMessage[]): void;
}

export class Rerouter {
  readonly #deps: RerouterDeps;
  readonly #background: Background;
  #isRunning = false;
  #isAskedAgain = false;
  #stopped = false;

  constructor(deps: RerouterDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
  }

  /**
   * Call after each change of a plan or sender, and periodically, for messages that were accepted or retried under a
   * decision from before the change.
   */
  readonly run = (): void => {
    this.#isAskedAgain = true;
    if (this.#isRunning || this.#stopped) return;
    this.#isRunning = true;
    this.#background.run("route waiting messages anew", async () => {
      try {
        while (this.#isAskedAgain && !this.#stopped) {
          this.#isAskedAgain = false;
          await this.#look();
        }
      } finally {
        this.#isRunning = false;
      }
    });
  };

  /** Resolves once no background work is running. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Stops after the current slice. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.settled();
  }

  async #look(): Promise<void> {
    const { store, plans } = this.#deps;
    // Decisions made before the change are committed before this write.
    await store.write(() => {});
    for (const lane of store.tables.queue.lanes()) {
      if (!plans.hasTarget(lane.senderId, lane.targetId)) await this.#empty(lane);
    }
  }

  async #empty(lane: LaneKey): Promise<void> {
    let messages = 0;
    let moved: number;
    do {
      moved = await this.#moveSlice(lane);
      messages += moved;
    } while (moved > 0 && !this.#stopped);
    this.#deps.log.info({ ...lane, messages }, "messages that waited for a removed target were routed anew");
  }

  /** Returns how many were moved. */
  async #moveSlice(lane: LaneKey): Promise<number> {
    const { store, plans, moved } = this.#deps;
    // Changed back meanwhile.
    if (plans.hasTarget(lane.senderId, lane.targetId)) return 0;
    const rerouted = store.tables.queue
      .waiting(lane, laneStart, sliceMessages)
      .map((row) => ({ row, targetId: this.#targetOf(row) }));
    const waiting = await store.write(({ queue, targetShares }) =>
      rerouted.flatMap(({ row: { id, dueAt, submittedAt, partCount }, targetId: decidedId }) => {
        const targetId = targetShares.next(decidedId, partCount);
        if (!queue.retarget(id, lane.targetId, targetId)) return [];
        targetShares.count(targetId, partCount);
        return [{ ...lane, id, dueAt: dueAt ?? 0, targetId, submittedAt }];
      }),
    );
    moved(waiting);
    return rerouted.length;
  }

  /** By the network that the message was accepted with. */
  #targetOf({ apiKeyId, ...row }: MessageRow): number {
    const { network, networkSource } = row;
    const accepted = { ...undecided, network, networkSource };
    return this.#deps.rules.decide({ ...row, apiKeyId: apiKeyId ?? 0 }, undefined, accepted).targetId;
  }
}
