/** `peyk otp …`: the fraud guard's counts for one-time passwords. Codes are never shown. */

import type { OtpGuardAnswer } from "../operator/otp.ts";
import { calls, noun } from "./declared.ts";
import { joinLines, shortTime, tableOf } from "./text.ts";

const rangeTable = tableOf<OtpGuardAnswer["ranges"][number]>("", {
  ACCOUNT: "account",
  RANGE: ({ range }) => `${range}…`,
  HOUR: ({ hour }) => shortTime(hour),
  SENT: "sends",
  CHALLENGES: "challenges",
  VERIFIED: "verified",
  "HELD BACK": "held",
  "": ({ suspicious }) => (suspicious ? "few verified" : ""),
});

function guardText({ on, alarms, ranges }: OtpGuardAnswer): string {
  if (!on) return "The fraud guard is off. Switch it on by the setting otp.fraud_guard = true.\n";
  const warnings = alarms.map(
    ({ account, challenges, verified, held }) =>
      `ALARM: of ${challenges} codes of ${account} only ${verified} were verified; ${held} were held back.`,
  );
  if (ranges.length === 0) return joinLines([...warnings, "No codes were sent in this hour or the one before."]);
  return joinLines(warnings) + rangeTable(ranges);
}

export const otpCommand = noun("otp", "one-time passwords: where they are sent, and whether they are verified", {
  guard: calls({
    does: "show accounts and number ranges with many codes of which few are verified",
    examples: ["peyk otp guard"],
    call: (api) => api("GET /otp/guard"),
    text: guardText,
  }),
});
