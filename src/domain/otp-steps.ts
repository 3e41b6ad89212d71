/** The steps of a one-time password: by what it is tried again while nothing confirms that it arrived. */

/** By what a code is tried again. */
export const otpStepWays = ["sms", "channel"] as const;

/** `waitSeconds`: after the step before. */
export interface OtpStep {
  by: (typeof otpStepWays)[number];
  /** The name of its route; for the way `channel` alone. */
  channel?: string;
  waitSeconds: number;
}

/** What brings the code. */
export const wayOf = ({ by, channel }: Pick<OtpStep, "by" | "channel">): string => channel ?? by;

export const otpStepLimits = { steps: 3, waitSecondsMin: 5, waitSecondsMax: 300 } as const;

/** Why no further step begins. `completed`: all did. `refused`: the message would not be accepted any more. */
export type OtpStepsOutcome =
  | "completed"
  | "delivered"
  | "verified"
  | "locked"
  | "replaced"
  | "expired"
  | "cancelled"
  | "blocked"
  | "suspended"
  | "refused";

/** Which steps apply: the more of it is set, the more specific. */
export interface OtpPlanKey {
  /** 0: every account. */
  accountId: number;
  /** '': every text. */
  pattern: string;
}
