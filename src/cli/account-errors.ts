/** `peyk account errors`: an account's refused requests of the last day, grouped. */

import type { AccountErrorAnswer } from "../operator/account-errors.ts";
import { englishRefusals } from "../words/en/refused-request.ts";
import { calls } from "./declared.ts";
import { joinLines, shortTime, tableOf } from "./text.ts";

const errorTable = tableOf<AccountErrorAnswer>("", {
  COUNT: "count",
  WHAT: ({ reason }) => englishRefusals[reason].title,
  CODE: ({ code, fieldCode }) => (fieldCode === null ? code : `${code} ${fieldCode}`),
  WAY: "way",
  BY: ({ by }) => (by.name === null ? by.id : `${by.id} ${by.name}`),
  FIRST: ({ first }) => shortTime(first),
  LAST: ({ last, goesOn }) => `${shortTime(last)}${goesOn ? ", goes on" : ""}`,
  EXAMPLE: ({ example: { request, field, sender } }) =>
    [request, field, sender].filter((part) => part !== null).join(" "),
});

export const errorsVerb = calls({
  does: "show what was refused to an account in the last day, by cause, key or credential, and way in",
  examples: ["peyk account errors acc_1", "peyk account errors acc_1 --json"],
  of: { id: "account id" },
  call: (api, given) => api("GET /accounts/:id/errors", given),
  text: ({ since, others, kinds }) => {
    const more = others === 0 ? [] : [`And ${others} of further kinds.`];
    const known = `Known since ${shortTime(since)}, when the service was started.`;
    if (kinds.length === 0) return joinLines(["Nothing was refused in the last day.", known]);
    return `${errorTable(kinds)}${joinLines([...more, known])}`;
  },
});
