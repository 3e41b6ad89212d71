/** `peyk quota …`: how many parts an account or a key may send in a day and a month. */
import { quotaFields } from "../fields/quota.ts";
import type { QuotaAnswer } from "../operator/quotas.ts";
import { saidChange, withFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatTable, shortTime } from "./text.ts";
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
  const command = verb("set", words).argument("<of>", "account or key id, such as acc_1 or key_1");
  return withFields(command, quotaFields).action((of, options) => {
    const change = saidChange(quotaFields, options);
    return ask(io, options, (api) => api("PUT /quotas/:of", { of, ...change }), quotaTable);
  });
}

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
