/** `peyk otp …`: the steps of one-time passwords, and the fraud guard's counts. Codes are never shown. */

import { otpStepLimits, otpStepWays, wayOf } from "../domain/otp-steps.ts";
import type { OtpGuardAnswer, OtpPlanAnswer, OtpTriedAnswer } from "../operator/otp.ts";
import { calls, noun, several, typed } from "./declared.ts";
import { joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { oneWordOf, wholeNumber } from "./values.ts";

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

const { waitSecondsMin, waitSecondsMax } = otpStepLimits;

/** `sms:20` or `channel:NAME:20`: by what, and how long after the step before. */
function stepOf(text: string) {
  const [by = "", ...rest] = text.split(":");
  const way = oneWordOf(`The way of --try ${text}`, otpStepWays, by);
  const [channel = "", wait = ""] = way === "channel" ? rest : [undefined, ...rest];
  return {
    by: way,
    ...(way === "channel" && { channel }),
    waitSeconds: wholeNumber(`The seconds of --try ${text}`, wait, waitSecondsMin, waitSecondsMax),
  };
}

const planTable = tableOf<OtpPlanAnswer>("A code is sent once. Let it be tried again: peyk otp steps set --help", {
  ACCOUNT: ({ account }) => account ?? "all",
  PATTERN: ({ pattern }) => orDash(pattern),
  STEPS: ({ steps }) => ["sms", ...steps.map((step) => `${wayOf(step)} after ${step.waitSeconds} s`)].join(", "),
});

const seconds = (ms: number | null) => (ms === null ? null : (ms / 1_000).toFixed(1));

const triedTable = tableOf<OtpTriedAnswer[number]>("No code with steps was sent in the last 24 hours.", {
  MESSAGES: "messages",
  ROUTE: "route",
  NETWORK: "network",
  CODES: "challenges",
  VERIFIED: "verified",
  "SECONDS TO VERIFY": ({ medianMs }) => seconds(medianMs),
});

const ofPlan = {
  account: typed("account <id>", "only this account's codes (default: those of every account without its own)"),
  pattern: typed("pattern <code>", "only its codes by this pattern"),
};

const stepsCommand = noun("steps", "how a code is tried again while no receipt comes and nobody verifies it", {
  list: calls({
    does: "list the steps of codes",
    examples: ["peyk otp steps list"],
    call: (api) => api("GET /otp/steps"),
    text: planTable,
  }),
  set: calls({
    does: "set what follows the first SMS; without --try nothing does. Codes sent from now on have the steps",
    examples: [
      "peyk otp steps set --try sms:20 --try channel:telegram:30",
      "peyk otp steps set --account acc_1 --pattern login",
    ],
    options: {
      ...ofPlan,
      try: several(
        "try <step>",
        `sms:SECONDS for another SMS by the next route, or channel:ROUTE:SECONDS, ${waitSecondsMin} to ${waitSecondsMax} after the step before; may be repeated`,
      ),
    },
    call: (api, { try: tried = [], ...key }) => api("PUT /otp/steps", { ...key, steps: tried.map(stepOf) }),
    text: planTable,
  }),
  figures: calls({
    does: "tell how many of the newest 2,000 codes of the last 24 hours were verified after how many messages, and how soon",
    examples: ["peyk otp steps figures"],
    call: (api) => api("GET /otp/steps/figures"),
    text: triedTable,
  }),
  remove: calls({
    does: "remove steps that were set, so that the more general ones apply again",
    examples: ["peyk otp steps remove --account acc_1"],
    options: ofPlan,
    call: (api, key) => api("DELETE /otp/steps", key),
    text: planTable,
  }),
});

export const otpCommand = noun("otp", "one-time passwords: where they are sent, and whether they are verified", {
  guard: calls({
    does: "show accounts and number ranges with many codes of which few are verified",
    examples: ["peyk otp guard"],
    call: (api) => api("GET /otp/guard"),
    text: guardText,
  }),
  steps: (io) => stepsCommand(io),
});
