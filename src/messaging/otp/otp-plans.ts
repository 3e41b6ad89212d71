/** Which steps the challenges of an account have: held in memory, as every challenge asks. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { OtpPlanKey, OtpStep } from "../../domain/otp-steps.ts";
import type { OtpPlanRow, TriedChallenge } from "../../store/otp-steps.ts";
import type { Store } from "../../store/store.ts";
import { assertChannel } from "../directory/route-limits.ts";

/** Challenges whose last message before the code, or so far, was the same step by the same route into the same network. */
export interface TriedCodes extends Pick<TriedChallenge, "messages" | "routeId" | "network"> {
  challenges: number;
  verified: number;
  /** From the request to the right code; null if none was verified. */
  medianMs: number | null;
}

/** Reading them takes some ten milliseconds. */
export const triedMax = 2_000;

export class OtpPlans {
  readonly #store: Store;
  readonly #plans = new Map<string, OtpPlanRow>();

  constructor(store: Store) {
    this.#store = store;
    this.#load();
  }

  all(): OtpPlanRow[] {
    return [...this.#plans.values()];
  }

  of(key: OtpPlanKey): OtpPlanRow | null {
    return this.#plans.get(nameOf(key)) ?? null;
  }

  /** Those of the text, else of the account, else of everybody. */
  stepsFor(accountId: number, pattern: string | null): readonly OtpStep[] {
    if (this.#plans.size === 0) return [];
    const keys = [{ accountId, pattern: pattern ?? "" }, { accountId, pattern: "" }, everybody];
    return keys.map((key) => this.of(key)).find((plan) => plan !== null)?.steps ?? [];
  }

  /** Applies to challenges from now on. Throws `account_not_found`, `pattern_not_found`, `route_not_found`, `invalid`. */
  async set(row: OtpPlanRow): Promise<void> {
    const { accountId, pattern, steps } = row;
    await this.#store.write((tables) => {
      if (accountId !== 0 && tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
      if (pattern !== "" && tables.patterns.byAccountAndCode(accountId, pattern) === null)
        throw new OperatorError("pattern_not_found");
      for (const { channel } of steps) if (channel !== undefined) assertChannel(tables, channel);
      tables.otpSteps.setPlan(row);
    });
    this.#load();
  }

  async remove(key: OtpPlanKey): Promise<void> {
    await this.#store.write((tables) => tables.otpSteps.removePlan(key));
    this.#load();
  }

  /** How the newest challenges with steps went since then, at most `triedMax`. */
  tried(since: number): TriedCodes[] {
    const rows = this.#store.tables.otpSteps.tried(since, triedMax);
    const alike = Map.groupBy(rows, ({ messages, routeId, network }) => `${messages} ${routeId} ${network}`);
    const counted = [...alike.values()].flatMap((group) =>
      group[0] === undefined ? [] : [triedCodes(group[0], group)],
    );
    return counted.sort((a, b) => a.messages - b.messages || b.challenges - a.challenges);
  }

  #load(): void {
    this.#plans.clear();
    for (const row of this.#store.tables.otpSteps.plans()) this.#plans.set(nameOf(row), row);
  }
}

const everybody: OtpPlanKey = { accountId: 0, pattern: "" };

const nameOf = ({ accountId, pattern }: OtpPlanKey): string => `${accountId} ${pattern}`;

function triedCodes({ messages, routeId, network }: TriedChallenge, group: readonly TriedChallenge[]): TriedCodes {
  const times = group.flatMap(({ sentAt, verifiedAt }) => (verifiedAt === null ? [] : [verifiedAt - sentAt]));
  const medianMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? null;
  return { messages, routeId, network, challenges: group.length, verified: times.length, medianMs };
}
