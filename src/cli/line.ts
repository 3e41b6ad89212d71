/** `peyk line …`: the numbers that receive messages, and the account of each. */
import type { LineAnswer } from "../operator/lines.ts";
import type { CliIo } from "./io.ts";
import { ownedListVerb } from "./list.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

export function lineCommand(io: CliIo) {
  return noun("line", "numbers that receive messages, each for one account")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(update(io))
    .addCommand(remove(io));
}

function add(io: CliIo) {
  const words = {
    does: "give the messages sent to a number to an account, including those already received",
    examples: ["peyk line add --number 30001234 --account acc_1"],
  };
  return verb("add", words)
    .requiredOption("--number <number>", "the number that phones send to, as the carrier reports it")
    .requiredOption("--account <id>", "account id, such as acc_1")
    .action(({ number, account, ...options }) => {
      const added = (line: LineAnswer & { madeAvailable: number }) =>
        lineTable([line]) + joinLines(line.madeAvailable === 0 ? [] : [madeAvailableText(line.madeAvailable)]);
      return ask(io, options, (api) => api("POST /lines", { number, account }), added);
    });
}

const madeAvailableText = (count: number) =>
  count === 1
    ? "One message that had come already is available to it now."
    : `${count} messages that had come already are available to it now.`;

function list(io: CliIo) {
  return ownedListVerb(
    io,
    { does: "list lines", examples: ["peyk line list --account acc_1"] },
    {
      part: (api, query) => api("GET /lines", query),
      whole: ({ accountName: _, ...row }) => row,
      table: lineTable,
    },
  );
}

function update(io: CliIo) {
  const words = {
    does: "say which credential gets what a number receives, by SMPP; webhooks and polling get it all the same",
    examples: [
      "peyk line update --number 30001234 --credential cred_1",
      "peyk line update --number 30001234 --credential none",
    ],
  };
  return verb("update", words)
    .requiredOption("--number <number>", "the line's number")
    .requiredOption("--credential <id>", "a credential of the line's account, or none")
    .action(({ number, credential, ...options }) => {
      const body = { credential: credential === "none" ? null : credential };
      const put = (line: LineAnswer) => lineTable([line]);
      return ask(io, options, (api) => api("PUT /lines/:number/credential", { number, ...body }), put);
    });
}

function remove(io: CliIo) {
  const words = {
    does: "remove a number from its account; the account keeps what it received, later messages wait for a new line",
    examples: ["peyk line remove --number 30001234"],
  };
  return verb("remove", words)
    .requiredOption("--number <number>", "the line's number")
    .action(({ number, ...options }) => {
      const removed = (line: LineAnswer) => `Line ${line.number} of ${line.account} removed.\n`;
      return ask(io, options, (api) => api("DELETE /lines/:number", { number }), removed);
    });
}

function lineTable(all: readonly LineAnswer[]): string {
  if (all.length === 0) return "There are no lines. Add one: peyk line add --number NUMBER --account ID\n";
  const rows = all.map(({ number, account, createdAt, credential }) => [
    number,
    account,
    shortTime(createdAt),
    credential ?? "-",
  ]);
  return formatTable(["LINE", "ACCOUNT", "SINCE", "CREDENTIAL"], rows);
}
