/** A leader whose disk refuses commits gives the lead to a node whose disk takes them; without one, it stays. */
import type { Clock } from "../platform/clock.ts";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import type { NodeState } from "./engine.ts";
import { ablest } from "./successor.ts";

export interface RefusedCommitsDeps {
  clock: Pick<Clock, "monotonic">;
  log: Logger;
  /** All nodes, as they last reported themselves. */
  nodes(): Promise<NodeState[]>;
  /** The name of this node. */
  name: string;
  handOver(next: string): void;
}

/** Two refused commits within this time are no accident. */
const togetherMs = 2_000;
/** Full, read-only or failing: not what a write itself made wrong. */
const refusals = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

export class RefusedCommits {
  #lastAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #isTold = false;

  constructor(private readonly deps: RefusedCommitsDeps) {}

  /** Takes any failure of a transaction. */
  readonly failed = (reason: unknown): void => {
    if (!refusals.test(errorCode(reason))) return;
    const now = this.deps.clock.monotonic();
    const isSecond = now - this.#lastAt <= togetherMs;
    this.#lastAt = now;
    if (isSecond && !this.#isAsking) void this.#handOver(reason);
  };

  async #handOver(reason: unknown): Promise<void> {
    const { log, nodes, name, handOver } = this.deps;
    this.#isAsking = true;
    try {
      const next = ablest(await nodes(), name);
      const told = { reason: errorMessage(reason), next };
      if (next !== null) log.error(told, "the disk refuses commits, and another node takes them");
      else if (!this.#isTold) log.error(told, "the disk refuses commits, and no other node could take over");
      this.#isTold = true;
      if (next !== null) handOver(next);
    } catch (failure) {
      log.warn({ reason: errorMessage(failure) }, "whether another node could take over is not known");
    } finally {
      this.#isAsking = false;
    }
  }
}
