/** One-time passwords for the public API: challenges, the customer's own codes, and the removal of both. */
import { dayMs } from "../../domain/otp.ts";
import type { Store } from "../../store/store.ts";
import { OtpChallenges, type OtpChallengesDeps } from "./otp-challenges.ts";
import { OtpPlans } from "./otp-plans.ts";
import { OtpSender, type OtpSenderDeps } from "./otp-sender.ts";
import { OtpSteps, type OtpStepsDeps } from "./otp-steps.ts";
import { OwnCodes, type OwnCodesDeps } from "./own-codes.ts";

export type OtpServiceDeps = OtpSenderDeps &
  OtpStepsDeps &
  Omit<OtpChallengesDeps, "sender" | "plans" | "steps"> &
  Omit<OwnCodesDeps, "sender">;

/** Rows removed per transaction. */
const sliceRows = 500;

export class OtpService {
  readonly challenges: OtpChallenges;
  readonly codes: OwnCodes;
  readonly steps: OtpSteps;
  readonly plans: OtpPlans;
  /** Milliseconds from a time until a code may be sent to the recipient; 0 for at once. */
  readonly waitMs: OtpSender["waitMs"];
  readonly #store: Store;
  readonly #clock: { now(): number };

  constructor(deps: OtpServiceDeps) {
    const sender = new OtpSender(deps);
    this.waitMs = (...asked) => sender.waitMs(...asked);
    this.plans = new OtpPlans(deps.store);
    this.steps = new OtpSteps(deps);
    this.challenges = new OtpChallenges({ ...deps, sender, plans: this.plans, steps: this.steps });
    this.codes = new OwnCodes({ ...deps, sender });
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  /** Forgets end users' addresses after a day. Call every minute or so. */
  readonly forgetEndUsers = async (): Promise<void> => {
    const until = this.#clock.now() - dayMs;
    if ((this.#store.tables.otpSends.oldestEndUser() ?? until + 1) <= until)
      await this.#store.write((tables) => tables.otpSends.pruneEndUsers(until));
  };

  /** Removes, slice by slice, what limits and keys no longer need. `keptDays`: of Idempotency-Keys. */
  async forget(keptDays: number): Promise<void> {
    const before = this.#clock.now() - Math.max(keptDays, 1) * dayMs;
    while ((await this.#store.write((tables) => tables.otpSends.prune(before, sliceRows))) === sliceRows);
  }
}
