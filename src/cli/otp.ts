/** `peyk otp …`: one-time passwords as an operator watches them. Codes are shown nowhere. */
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

interface Counts {
  account: string;
  sends: number;
  challenges: number;
  verified: number;
  held: number;
}

interface GuardView {
  on: boolean;
  alarms: readonly Counts[];
  ranges: readonly (Counts & { range: string; hour: string; suspicious: boolean })[];
}

export function otpCommand(io: CliIo) {
  return noun("otp", "one-time passwords: where they go, and whether they are verified").addCommand(guard(io));
}

function guard(io: CliIo) {
  const words = {
    does: "show accounts and number ranges to which many codes go and where few are verified",
    examples: ["peyk otp guard"],
  };
  return verb("guard", words).action((options) => ask(io, options, (api) => api.otp.guard.get(), guardText));
}

const counts = ({ sends, challenges, verified, held }: Counts) => [sends, challenges, verified, held].map(String);

function guardText({ on, alarms, ranges }: GuardView): string {
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
    ...counts(range),
    range.suspicious ? "few verified" : "",
  ]);
  const head = ["ACCOUNT", "RANGE", "HOUR", "SENT", "CHALLENGES", "VERIFIED", "HELD BACK", ""];
  return joinLines(warnings) + formatTable(head, rows);
}
