/** What named the network of a message's recipient: the range of the number, the table of ported numbers, or a look-up. */
export const networkSourceNames = ["prefix", "ported", "lookup"] as const;
export const networkSources = { prefix: 0, ported: 1, lookup: 2 } as const;

export type NetworkSource = (typeof networkSources)[keyof typeof networkSources];

/** `isSilent`: no answer came, rather than a useless one. */
export type LookupAnswer = { network: string } | { problem: string; isSilent: boolean };

export const withoutAnswerChoices = ["prefix", "refuse"] as const;

/** A service that knows the networks of numbers, and how it may be used. */
export interface NumberLookup {
  /** Its host. */
  readonly service: string;
  /** Questions at once. */
  readonly window: number;
  /** For a question, and for all questions of a request together. */
  readonly timeLimitMs: number;
  readonly cacheDays: number;
  readonly budgetPerDay: number;
  /** What decides about a number that the service does not answer for: its range, or the request is refused. */
  readonly withoutAnswer: (typeof withoutAnswerChoices)[number];
  /** `network`: its name, as far as the file translates what the service says. Never rejects. */
  ask(e164: string): Promise<LookupAnswer>;
}
