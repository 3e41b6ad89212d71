/**
 * Gathers messages that can share a request, and sends a group when it is full or its first message has waited long
 * enough.
 */
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Submission, SubmitOutcome } from "../provider.ts";

export interface BatcherOptions {
  /** Maximum number of messages in a group. */
  messages: number;
  /** How long the first message of a group waits. */
  waitMs: number;
  /** Groups sent concurrently. */
  groups: number;
}

interface Waiting {
  submission: Submission;
  settle(outcome: SubmitOutcome): void;
}

interface Group {
  waiting: Waiting[];
  /** What tells its answers from the others. */
  names: Set<string>;
  timer: Timer;
}

/** An outcome for each message, in order. Never rejects. */
export type SendGroup = (submissions: readonly Submission[]) => Promise<readonly SubmitOutcome[]>;

export class Batcher {
  readonly #gathering = new Map<string, Group>();
  #ready: Waiting[][] = [];
  #sending = 0;

  constructor(
    private readonly options: BatcherOptions,
    private readonly clock: Clock,
    private readonly send: SendGroup,
  ) {}

  /** `kind`: messages of the same kind may share a request; two of the same `name` may not. */
  add(submission: Submission, kind: string, name: string): Promise<SubmitOutcome> {
    return new Promise((settle) => {
      let group = this.#gathering.get(kind);
      if (group?.names.has(name)) {
        this.#close(kind, group);
        group = undefined;
      }
      group ??= this.#open(kind);
      group.names.add(name);
      group.waiting.push({ submission, settle });
      if (group.waiting.length >= this.options.messages) this.#close(kind, group);
    });
  }

  /** Sends what has gathered, without waiting for more. */
  flush(): void {
    for (const [kind, group] of this.#gathering) this.#close(kind, group);
  }

  #open(kind: string): Group {
    const group: Group = {
      waiting: [],
      names: new Set(),
      timer: this.clock.after(this.options.waitMs, () => this.#close(kind, group)),
    };
    this.#gathering.set(kind, group);
    return group;
  }

  #close(kind: string, group: Group): void {
    group.timer.cancel();
    this.#gathering.delete(kind);
    this.#ready.push(group.waiting);
    this.#sendReady();
  }

  #sendReady(): void {
    while (this.#sending < this.options.groups) {
      const next = this.#ready.shift();
      if (next === undefined) return;
      this.#sending += 1;
      void this.#sendGroup(next);
    }
  }

  async #sendGroup(waiting: readonly Waiting[]): Promise<void> {
    const outcomes = await this.send(waiting.map(({ submission }) => submission));
    this.#sending -= 1;
    for (const [index, { settle }] of waiting.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error("A message of a group has no outcome");
      settle(outcome);
    }
    this.#sendReady();
  }
}
