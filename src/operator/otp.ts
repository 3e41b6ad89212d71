/** One-time passwords as the operator watches them: how many go where, how many are verified, what is held back. Never a code. */
import { Elysia } from "elysia";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText } from "./ids.ts";

export function otpRoutes({ otpGuard }: OperatorDeps) {
  return new Elysia({ prefix: "/otp" }).get("/guard", () => {
    const { on, alarms, ranges } = otpGuard.overview();
    return {
      /** While it is off, nothing is counted (setting otp.fraud_guard). */
      on,
      /** Accounts that send many codes of which few are verified, in this hour and the one before. */
      alarms: alarms.map(({ accountId, ...counts }) => ({ account: accountIdText(accountId), ...counts })),
      /** Ranges of ten thousand numbers, those first in which codes were held back, then the busiest. */
      ranges: ranges.map(({ accountId, hourStart, ...range }) => ({
        account: accountIdText(accountId),
        ...range,
        hour: isoTime(hourStart),
      })),
    };
  });
}
