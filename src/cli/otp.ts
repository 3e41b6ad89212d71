/** `peyk otp …`: the fraud guard's counts for one-time passwords. Codes are never shown. */
import type { OtpGuardAnswer } from "../operator/otp.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

export function otpCommand(io: CliIo) {
  return noun("otp", "one-time passwords: where they are sent, and whether they are verified").addCommand(guard(io));
}

function guard(io: CliIo) {
  const words = {
    does: "show accounts and number ranges with many codes of which few are verified",
    examples: ["peyk otp guard"],
  };
  return verb("guard", words).action((options) => ask(io, options, (api) => api("GET /otp/guard"), guardText));
}

const countCells = ({ sends, challenges, verified, held }: OtpGuardAnswer["ranges"][number]) =>
  [sends, challenges, verified, held].map(String);

function guardText({ on, alarms, ranges }: OtpGuardAnswer): string {
  if (!on) return "The fraud guard is off. Switch it on by the setting otp.fraud_guard = true.\n";
  const warnings = alarms.map(
    ({ account, challenges, verified, held }) =>
      `ALARM: of ${challenges} codes of ${account} only ${verified} were verified; ${held} were held back.`,
  );
  if (ranges.length === 0) return joinLines([...warnings, "No codes were sent in this hour or the one before."]);
  const rows = ranges.map((range) => [
    range.account,
    `${range.range}…`,
    shortTime(range.hour),
    ...countCells(range),
    range.suspicious ? "few verified" : "",
  ]);
  const head = ["ACCOUNT", "RANGE", "HOUR", "SENT", "CHALLENGES", "VERIFIED", "HELD BACK", ""];
  return joinLines(warnings) + formatTable(head, rows);
}
