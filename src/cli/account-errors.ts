/** `peyk account errors`: an account's refused requests of the last day, grouped. */
import type { AccountErrorAnswer } from "../operator/account-errors.ts";
import { englishRefusals } from "../words/en/refused-request.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { ask, verb } from "./verb.ts";

export function errorsCommand(io: CliIo) {
  const words = {
    does: "show what was refused to an account in the last day, by cause, key or credential, and way in",
    examples: ["peyk account errors acc_1", "peyk account errors acc_1 --json"],
  };
  return verb("errors", words)
    .argument("<id>", "account id")
    .action((id, options) =>
      ask(
        io,
        options,
        (api) => api("GET /accounts/:id/errors", { id }),
        ({ since, others, kinds }) => {
          const more = others === 0 ? [] : [`And ${others} of further kinds.`];
          const known = `Known since ${shortTime(since)}, when the service was started.`;
          if (kinds.length === 0) return joinLines(["Nothing was refused in the last day.", known]);
          return `${formatTable(head, kinds.map(row))}${joinLines([...more, known])}`;
        },
      ),
    );
}

const head = ["COUNT", "WHAT", "CODE", "WAY", "BY", "FIRST", "LAST", "EXAMPLE"];

const row = ({ count, reason, code, fieldCode, way, by, first, last, goesOn, example }: AccountErrorAnswer) => [
  String(count),
  englishRefusals[reason].title,
  [code, ...(fieldCode === null ? [] : [fieldCode])].join(" "),
  way,
  by.name === null ? by.id : `${by.id} ${by.name}`,
  shortTime(first),
  `${shortTime(last)}${goesOn ? ", goes on" : ""}`,
  [example.request, example.field, example.sender].filter((part) => part !== null).join(" "),
];
