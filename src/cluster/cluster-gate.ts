/**
 * Holds answers back until what they may have read is in the cluster's log, and refuses them if the log does not
 * respond.
 */
import type { Clock } from "../platform/clock.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { type Shipper, stalledMs } from "./shipper.ts";

const lookEveryMs = 250;

interface Waiting {
  reject(reason: StoreUnavailable): void;
}

export class ClusterGate implements AnswerGate {
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;

  constructor(
    private readonly shipper: Pick<Shipper, "committed" | "commits" | "keptCommits" | "stalledForMs">,
    private readonly lease: Pick<LeaseKeeper, "isGood">,
    private readonly clock: Pick<Clock, "after">,
  ) {}

  pass(): Promise<void> | null {
    if (!this.lease.isGood) return Promise.reject(lapsed());
    if (this.shipper.keptCommits === this.shipper.commits) return null;
    // It changes nothing, so it is replicated as soon as everything before it is.
    return this.within(new Promise((resolve) => this.shipper.committed(null, resolve)));
  }

  within<T>(answer: Promise<T>): Promise<T> {
    const settled = new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { reject };
      this.#waiting.add(waiting);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(waiting));
    });
    this.#look();
    // A refusal tells what was read as much as an answer does.
    return settled.finally(() => {
      if (!this.lease.isGood) throw lapsed();
    });
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.clock.after(lookEveryMs, () => {
      this.#isLooking = false;
      if (this.shipper.stalledForMs() >= stalledMs) {
        for (const { reject } of this.#waiting) reject(new StoreUnavailable("the log of the cluster does not answer"));
        this.#waiting.clear();
      }
      if (this.#waiting.size > 0) this.#look();
    });
  }
}

const lapsed = () => new StoreUnavailable("another node of the cluster may lead by now");
