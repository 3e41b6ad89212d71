/** `peyk line …`: the numbers that receive messages, and the account of each. */

import { ofAccount } from "../fields/account.ts";
import type { LineAnswer } from "../operator/lines.ts";
import { calls, lists, must, noun, ofOneAccount, typed, withoutAccountName } from "./declared.ts";
import { credentialText, lineRuleCommand } from "./line-rule.ts";
import { joinLines, shortTime, tableOf } from "./text.ts";

const lineTable = tableOf<LineAnswer>("There are no lines. Add one: peyk line add --number NUMBER --account ID", {
  LINE: "number",
  ACCOUNT: "account",
  SINCE: ({ createdAt }) => shortTime(createdAt),
  CREDENTIAL: credentialText,
});

const madeAvailableText = (count: number) =>
  count === 1
    ? "One message that had come already is available to it now."
    : `${count} messages that had come already are available to it now.`;

const number = must(typed("number <number>", "the line's number"));

export const lineCommand = noun("line", "numbers that receive messages, each for one account", {
  rule: lineRuleCommand,
  add: calls({
    does: "give the messages sent to a number to an account, including those already received",
    examples: ["peyk line add --number 30001234 --account acc_1"],
    options: {
      number: must(typed("number <number>", "the number that phones send to, as the carrier reports it")),
      account: ofAccount,
    },
    call: (api, given) => api("POST /lines", given),
    text: (line) =>
      lineTable([line]) + joinLines(line.madeAvailable === 0 ? [] : [madeAvailableText(line.madeAvailable)]),
  }),
  list: lists({
    does: "list lines",
    examples: ["peyk line list --account acc_1"],
    options: ofOneAccount,
    part: (api, query) => api("GET /lines", query),
    whole: withoutAccountName,
    table: lineTable,
  }),
  update: calls({
    does: "say which credential gets what a number receives, by SMPP; webhooks and polling get it all the same",
    examples: [
      "peyk line update --number 30001234 --credential cred_1",
      "peyk line update --number 30001234 --credential none",
    ],
    options: {
      number,
      credential: must({ ...typed("credential <id>", "a credential of the line's account, or none"), none: "none" }),
    },
    call: (api, given) => api("PUT /lines/:number/credential", given),
    text: (line) => lineTable([line]),
  }),
  remove: calls({
    does: "remove a number from its account; the account keeps what it received, later messages wait for a new line",
    examples: ["peyk line remove --number 30001234"],
    options: { number },
    call: (api, given) => api("DELETE /lines/:number", given),
    text: ({ number, account }) => `Line ${number} of ${account} removed.\n`,
  }),
});
