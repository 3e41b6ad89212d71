/**
 * Counts wrong passwords by the credential that they were tried for, and by the network that they came from: guesses
 * from many addresses are few at each. Nobody is locked out for them.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";

/** Guesses without an hour of rest between them. */
export interface Guesses {
  /** The name of a credential, or a network as `clientOf` names it. */
  of: string;
  isNetwork: boolean;
  /** Epoch milliseconds. */
  since: number;
  guesses: number;
  /** How many networks they came from, or credentials they were for; at most a thousand are told apart. */
  others: number;
}

interface Counted {
  since: number;
  lastMs: number;
  guesses: number;
  others: Set<string>;
}

/** From so many on they are told: a program with an old password repeats itself, too. */
const guessesMin = 100;
const restMs = 3_600_000;
const othersMax = 1_000;
const subjectsMax = 20_000;

export class GuessCounts {
  /** Those with the oldest last guess first. */
  readonly #counted = { credential: new Map<string, Counted>(), network: new Map<string, Counted>() };

  constructor(
    private readonly clock: Pick<Clock, "now" | "monotonic">,
    private readonly log: Pick<Logger, "warn">,
  ) {}

  /** `credential`: null if there is none of that name. */
  count(credential: string | null, network: string): void {
    if (credential !== null) this.#count("credential", credential, network);
    this.#count("network", network, credential);
  }

  /** Those that are worth telling, and go on. */
  current(): Guesses[] {
    return (["credential", "network"] as const).flatMap((kind) => {
      this.#forget(kind);
      return [...this.#counted[kind]]
        .filter(([, { guesses }]) => guesses >= guessesMin)
        .map(([of, { since, guesses, others }]) => ({
          of,
          isNetwork: kind === "network",
          since,
          guesses,
          others: others.size,
        }));
    });
  }

  #count(kind: "credential" | "network", subject: string, other: string | null): void {
    this.#forget(kind);
    const known = this.#counted[kind].get(subject);
    const counted = known ?? { since: this.clock.now(), lastMs: 0, guesses: 0, others: new Set<string>() };
    counted.lastMs = this.clock.monotonic();
    counted.guesses += 1;
    if (other !== null && counted.others.size < othersMax) counted.others.add(other);
    this.#counted[kind].delete(subject);
    this.#counted[kind].set(subject, counted);
    if (isTold(counted.guesses))
      this.log.warn(
        { [kind]: subject, guesses: counted.guesses, others: counted.others.size },
        `wrong passwords keep coming ${kind === "network" ? "from a network" : "for a credential"}`,
      );
  }

  #forget(kind: "credential" | "network"): void {
    const nowMs = this.clock.monotonic();
    for (const [subject, { lastMs }] of this.#counted[kind]) {
      if (nowMs - lastMs < restMs && this.#counted[kind].size < subjectsMax) return;
      this.#counted[kind].delete(subject);
    }
  }
}

/** At 100, 1,000, 10,000 and so on. */
const isTold = (guesses: number): boolean => /^100+$/.test(String(guesses));
