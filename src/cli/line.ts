/** `peyk line …`: the numbers that receive, and whose messages they bring. */
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

interface LineView {
  number: string;
  account: string;
  createdAt: string;
}

export function lineCommand(io: CliIo) {
  return noun("line", "numbers that receive, each for one account")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(remove(io));
}

function add(io: CliIo) {
  const words = {
    does: "give the messages to a number to an account, also those that have come already",
    examples: ["peyk line add --number 30001234 --account acc_1"],
  };
  return verb("add", words)
    .requiredOption("--number <number>", "the number that phones write to, as the carrier gives it")
    .requiredOption("--account <id>", "account id, such as acc_1")
    .action(({ number, account, ...options }) => {
      const added = (line: LineView & { madeAvailable: number }) =>
        lineTable([line]) + joinLines(line.madeAvailable === 0 ? [] : [arrears(line.madeAvailable)]);
      return ask(io, options, (api) => api.lines.post({ number, account }), added);
    });
}

const arrears = (count: number) =>
  count === 1
    ? "One message that had come already is available to it now."
    : `${count} messages that had come already are available to it now.`;

function list(io: CliIo) {
  return verb("list", { does: "list lines", examples: ["peyk line list --account acc_1"] })
    .option("--account <id>", "only this account's")
    .action((options) => {
      const query = options.account === undefined ? {} : { account: options.account };
      return ask(io, options, (api) => api.lines.get({ query }), lineTable);
    });
}

function remove(io: CliIo) {
  const words = {
    does: "take a number from its account; what it received stays the account's, what comes then waits for a new line",
    examples: ["peyk line remove --number 30001234"],
  };
  return verb("remove", words)
    .requiredOption("--number <number>", "the line's number")
    .action(({ number, ...options }) => {
      const removed = (line: LineView) => `Line ${line.number} of ${line.account} removed.\n`;
      return ask(io, options, (api) => api.lines({ number: encodeURIComponent(number) }).delete(), removed);
    });
}

function lineTable(all: readonly LineView[]): string {
  if (all.length === 0) return "There are no lines. Add one: peyk line add --number NUMBER --account ID\n";
  const rows = all.map(({ number, account, createdAt }) => [number, account, shortTime(createdAt)]);
  return formatTable(["LINE", "ACCOUNT", "SINCE"], rows);
}
