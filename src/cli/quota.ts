/** `peyk quota …`: how many parts an account or a key may send in a day and a month. */

import { quotaFields } from "../fields/quota.ts";
import type { QuotaAnswer } from "../operator/quotas.ts";
import { calls, noun } from "./declared.ts";
import { shortTime, tableOf } from "./text.ts";

const quotaTable = tableOf<QuotaAnswer>("There is no quota. Set one: peyk quota set acc_1 --day PARTS", {
  OF: "of",
  PERIOD: "period",
  USED: "partsUsed",
  QUOTA: "partsMax",
  LEFT: ({ partsMax, partsUsed }) => Math.max(0, partsMax - partsUsed),
  "BEGINS ANEW": ({ resetsAt }) => shortTime(resetsAt),
});

export const quotaCommand = noun("quota", "how many parts an account or a key may send in a day and a month", {
  set: calls({
    does: "set or lift quotas; they count from now on, and what is past them is refused with quota_exceeded",
    examples: ["peyk quota set acc_1 --day 10000 --month 200000", "peyk quota set key_1 --day none"],
    of: { of: "account or key id, such as acc_1 or key_1" },
    changes: quotaFields,
    call: (api, given) => api("PUT /quotas/:of", given),
    text: quotaTable,
  }),
  show: calls({
    does: "show quotas and what is used of them",
    examples: ["peyk quota show", "peyk quota show acc_1"],
    mayTake: { of: "account or key id; all of them when left out" },
    call: (api, { of }) => (of === undefined ? api("GET /quotas") : api("GET /quotas/:of", { of })),
    text: quotaTable,
  }),
});
