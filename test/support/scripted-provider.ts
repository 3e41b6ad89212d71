/** A provider whose answers a test sets, for testing the queue's rules; the real providers have tests of their own. */
import {
  lastErrorOf,
  type Provider,
  type ProviderEvents,
  type ProviderHealth,
  type Submission,
  type SubmitOutcome,
} from "../../src/providers/provider.ts";

export class ScriptedProvider implements Provider {
  /** Submissions, in order. */
  readonly submissions: Submission[] = [];
  readonly #limits: { window: number; partsPerSecond: number | null };
  readonly #held: (() => void)[] = [];
  #outcome: SubmitOutcome | null = null;
  #holding = false;
  #up = true;
  #breaks = false;

  constructor(
    readonly events: ProviderEvents,
    { window = 10, partsPerSecond = null }: { window?: number; partsPerSecond?: number | null } = {},
  ) {
    this.#limits = { window, partsPerSecond };
  }

  get texts(): string[] {
    return this.submissions.map(({ text }) => text);
  }

  start(): void {}

  async stop(): Promise<void> {
    this.release();
  }

  /** Holds answers back until `release`. */
  hold(): void {
    this.#holding = true;
  }

  release(): void {
    this.#holding = false;
    for (const answer of this.#held.splice(0)) answer();
  }

  /** The answer to every submit from now on; null accepts. */
  answerWith(outcome: SubmitOutcome | null): void {
    this.#outcome = outcome;
  }

  /** The next submit rejects, which no provider may do. */
  breakOnce(): void {
    this.#breaks = true;
  }

  goDown(): void {
    this.#up = false;
    this.events.healthChanged();
  }

  comeUp(): void {
    this.#up = true;
    this.events.healthChanged();
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    this.submissions.push(submission);
    if (this.#breaks) {
      this.#breaks = false;
      return Promise.reject(new Error("out of order"));
    }
    const partIds = Array.from({ length: submission.partCount }, (_, index) => `${submission.messageId}-${index + 1}`);
    const outcome = this.#outcome ?? { kind: "accepted", partIds };
    if (!this.#holding) return Promise.resolve(outcome);
    return new Promise((resolve) => this.#held.push(() => resolve(outcome)));
  }

  health(): ProviderHealth {
    const link = { name: "1", state: "refused", since: 0, ...lastErrorOf({ code: "bind_unanswered" }) };
    return { up: this.#up, ...this.#limits, links: this.#up ? [] : [link] };
  }

  probe = async () => [];
}
