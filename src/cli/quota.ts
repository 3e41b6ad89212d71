/** `peyk quota …`: how many parts an account or a key may send in a day and a month. */
import { quotaPartsMax } from "../domain/quota.ts";
import type { QuotaAnswer } from "../operator/quotas.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatTable, shortTime } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function quotaCommand(io: CliIo) {
  return noun("quota", "how many parts an account or a key may send in a day and a month")
    .addCommand(set(io))
    .addCommand(show(io));
}

function set(io: CliIo) {
  const words = {
    does: "set or lift quotas; they count from now on, and what is past them is refused with quota_exceeded",
    examples: ["peyk quota set acc_1 --day 10000 --month 200000", "peyk quota set key_1 --day none"],
  };
  return verb("set", words)
    .argument("<of>", "account or key id, such as acc_1 or key_1")
    .option("--day <parts>", "parts a day, where the account's time zone is; none lifts it")
    .option("--month <parts>", "parts a month (setting default_calendar); none lifts it")
    .action((of, { day, month, ...options }) => {
      if (day === undefined && month === undefined) throw new UsageError("Say at least one of --day and --month.");
      const change = {
        ...(day !== undefined && { day: limitOf("--day", day) }),
        ...(month !== undefined && { month: limitOf("--month", month) }),
      };
      return ask(io, options, (api) => api("PUT /quotas/:of", { of, ...change }), quotaTable);
    });
}

const limitOf = (option: string, text: string) =>
  text === "none" ? null : wholeNumber(option, text, 0, quotaPartsMax);

function show(io: CliIo) {
  const words = {
    does: "show quotas and what is used of them",
    examples: ["peyk quota show", "peyk quota show acc_1"],
  };
  return verb("show", words)
    .argument("[of]", "account or key id; all of them when left out")
    .action((of, options) =>
      ask(io, options, (api) => (of === undefined ? api("GET /quotas") : api("GET /quotas/:of", { of })), quotaTable),
    );
}

function quotaTable(quotas: readonly QuotaAnswer[]): string {
  if (quotas.length === 0) return "There is no quota. Set one: peyk quota set acc_1 --day PARTS\n";
  const rows = quotas.map(({ of, period, partsMax, partsUsed, resetsAt }) => [
    of,
    period,
    String(partsUsed),
    String(partsMax),
    String(Math.max(0, partsMax - partsUsed)),
    shortTime(resetsAt),
  ]);
  return formatTable(["OF", "PERIOD", "USED", "QUOTA", "LEFT", "BEGINS ANEW"], rows);
}
