/**
 * `peyk explain`: whether a message would be accepted, when it would be sent, by which route and why, and at what cost.
 */

import { messageClassNames } from "../domain/message.ts";
import { ofAccount } from "../fields/account.ts";
import type { ExplainAnswer } from "../operator/explain.ts";
import { calls, command, must, time, typed, wordOf } from "./declared.ts";
import { formatFields, orDash, shortTime, tableOf } from "./text.ts";

/** What each rule decided about a message. */
export const remarkTable = tableOf<ExplainAnswer["remarks"][number]>("", { RULE: "rule", DECIDED: "words" });

function explainText(answer: ExplainAnswer): string {
  const { refusal, blocked, dueAt, route, cost, recipient, network, partCount, price, isTest, remarks } = answer;
  const accepted = blocked === null ? "yes" : `yes, and it would fail with blocked: ${blocked}`;
  return [
    formatFields([
      ["Accepted", refusal === null ? accepted : `no: ${refusal.code}`],
      ["Recipient", orDash(recipient)],
      ["Network", orDash(network)],
      ["Parts", orDash(partCount)],
      ["Price", isTest ? "none: a test key" : orDash(price)],
      ["Due", shortTime(dueAt)],
      ["Route now", orDash(route)],
      ["Its cost", orDash(cost)],
    ]),
    remarkTable(remarks),
  ].join("\n");
}

export const explainCommand = command(
  "explain",
  calls({
    does: "say what would become of a message, and what each rule decides about it; nothing is sent or counted",
    examples: [
      "peyk explain --account acc_1 --sender 30001234 --recipient 09121234567",
      "peyk explain --account acc_1 --recipient 09121234567 --pattern login",
      'peyk explain --account acc_1 --recipient 09351234567 --class bulk --at "tomorrow 23:00"',
    ],
    options: {
      account: ofAccount,
      recipient: must(typed("recipient <number>", "the number that it would go to, in any common spelling")),
      sender: typed("sender <sender>", "number or name (default: the account's default sender)"),
      class: wordOf(
        "class <class>",
        messageClassNames,
        `${messageClassNames.join(", ")} (default: single; bulk with --at, as scheduled messages are)`,
      ),
      at: time("at <time>", "as if it were to be sent then: date"),
      pattern: typed("pattern <code>", "explain a one-time password by this pattern: its text, its sender, its steps"),
      text: typed("text <text>", "its text (default: one part)"),
      key: typed("key <id>", "as if this API key sent it, such as key_7"),
    },
    call: (api, given) => api("GET /explain", given),
    text: explainText,
  }),
);
