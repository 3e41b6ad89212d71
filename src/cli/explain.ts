/**
 * `peyk explain`: whether a message would be accepted, when it would be sent, by which route and why, and at what cost.
 */
import { messageClassNames } from "../domain/message.ts";
import type { ExplainAnswer } from "../operator/explain.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { oneWordOf } from "./values.ts";
import { ask, verb } from "./verb.ts";

export function explainCommand(io: CliIo) {
  const words = {
    does: "say what would become of a message, and what each rule decides about it; nothing is sent or counted",
    examples: [
      "peyk explain --account acc_1 --sender 30001234 --recipient 09121234567",
      'peyk explain --account acc_1 --recipient 09351234567 --class bulk --at "tomorrow 23:00"',
    ],
  };
  return verb("explain", words)
    .requiredOption("--account <id>", "account id, such as acc_1")
    .requiredOption("--recipient <number>", "the number that it would go to, in any common spelling")
    .option("--sender <sender>", "number or name (default: the account's default sender)")
    .option(
      "--class <class>",
      `${messageClassNames.join(", ")} (default: single; bulk with --at, as scheduled messages are)`,
    )
    .option("--at <time>", `as if it were to be sent then: ${timeHelp}`)
    .option("--text <text>", "its text (default: one part)")
    .option("--key <id>", "as if this API key sent it, such as key_7")
    .action(({ account, recipient, sender, class: name, at, text, key, ...options }) => {
      const query = {
        account,
        recipient,
        ...(name !== undefined && { class: oneWordOf("--class", messageClassNames, name) }),
        sender,
        ...(at !== undefined && { at: timeText("--at", at) }),
        text,
        key,
      };
      return ask(io, options, (api) => api("GET /explain", query), explainText);
    });
}

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
    formatTable(
      ["RULE", "DECIDED"],
      remarks.map(({ rule, words }) => [rule, words]),
    ),
  ].join("\n");
}
