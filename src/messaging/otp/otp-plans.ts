/** Which steps the challenges of an account have: held in memory, as every challenge asks. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { OtpPlanKey, OtpStep } from "../../domain/otp-steps.ts";
import type { OtpPlanRow } from "../../store/otp-steps.ts";
import type { Store } from "../../store/store.ts";

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

  /** Applies to challenges from now on. Throws `account_not_found`, `pattern_not_found`. */
  async set(row: OtpPlanRow): Promise<void> {
    const { accountId, pattern } = row;
    await this.#store.write((tables) => {
      if (accountId !== 0 && tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
      if (pattern !== "" && tables.patterns.byAccountAndCode(accountId, pattern) === null)
        throw new OperatorError("pattern_not_found");
      tables.otpSteps.setPlan(row);
    });
    this.#load();
  }

  async remove(key: OtpPlanKey): Promise<void> {
    await this.#store.write((tables) => tables.otpSteps.removePlan(key));
    this.#load();
  }

  #load(): void {
    this.#plans.clear();
    for (const row of this.#store.tables.otpSteps.plans()) this.#plans.set(nameOf(row), row);
  }
}

const everybody: OtpPlanKey = { accountId: 0, pattern: "" };

const nameOf = ({ accountId, pattern }: OtpPlanKey): string => `${accountId} ${pattern}`;
