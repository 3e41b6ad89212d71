/** The fraud guard's counts for one-time passwords: how many were sent where, verified, held back. Never a code. */

import type { GuardOverview } from "../messaging/otp/otp-guard.ts";
import { isoTime } from "../platform/clock.ts";
import { accountIdText } from "./ids.ts";
import { reads } from "./operation.ts";

export type OtpGuardAnswer = ReturnType<typeof otpGuardAnswer>;

function otpGuardAnswer({ on, alarms, ranges }: GuardOverview) {
  return {
    /** Nothing is counted while it is off (setting otp.fraud_guard). */
    on,
    /** Accounts with many codes of which few were verified, in this hour and the previous one. */
    alarms: alarms.map(({ accountId, ...counts }) => ({ account: accountIdText(accountId), ...counts })),
    /** Ranges of ten thousand numbers: those with codes held back first, then the busiest. */
    ranges: ranges.map(({ accountId, hourStart, ...range }) => ({
      account: accountIdText(accountId),
      ...range,
      hour: isoTime(hourStart),
    })),
  };
}

export const otpAdmin = {
  "GET /otp/guard": reads({
    may: "status.read",
    run: ({ otpGuard }) => otpGuardAnswer(otpGuard.overview()),
  }),
};
