/** `peyk plan test`: says of each number of a CSV file which rule of a plan takes it. */
import { parse } from "csv-parse/sync";
import { messageClassNames } from "../domain/message.ts";
import { planLimits } from "../domain/plan-limits.ts";
import type { TriedNumber } from "../operator/plans.ts";
import type { CliIo } from "./io.ts";
import { targetsText } from "./plan-text.ts";
import { formatTable, orDash } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { oneWordOf } from "./values.ts";
import { connect, print, verb } from "./verb.ts";

export function planTestCommand(io: CliIo) {
  const words = {
    does: "say which rule takes each number of a file; nothing is sent or counted",
    examples: ["peyk plan test iran --csv numbers.csv --class otp"],
  };
  return verb("test", words)
    .argument("<plan>", "the plan's name")
    .requiredOption("--csv <file>", "its first column holds the numbers; - for standard input")
    .option("--class <class>", messageClassNames.join(", "), "single")
    .option("--account <id>", "as if this account sent them")
    .action(async (plan, options) => {
      const recipients = await numbersOf(io, options.csv);
      const asked = {
        class: oneWordOf("--class", messageClassNames, options.class),
        account: options.account,
      };
      const tried: TriedNumber[] = [];
      for (let from = 0; from < recipients.length; from += planLimits.triedNumbers) {
        const some = { recipients: recipients.slice(from, from + planLimits.triedNumbers), ...asked };
        tried.push(...(await connect(io, options)("POST /plans/:name/test", { name: plan, ...some })));
      }
      print(io, options, tried, triedTable);
    });
}

async function numbersOf(io: CliIo, path: string): Promise<string[]> {
  const content = await readTextOrInput(io, path);
  const rows = parse(content, { bom: true, trim: true, relax_column_count: true, delimiter: [",", ";"] });
  // A header holds no digit.
  return rows.flatMap(([first = ""], line) => (first === "" || (line === 0 && !/\p{Nd}/u.test(first)) ? [] : [first]));
}

function triedTable(tried: readonly TriedNumber[]): string {
  const rows = tried.map(({ recipient, number, network, rule, targets }) => [
    number ?? recipient,
    orDash(network),
    number === null ? "-" : orDash(rule),
    number === null ? "no mobile number" : rule === null ? "the sender's own" : targetsText(targets),
  ]);
  return formatTable(["NUMBER", "NETWORK", "RULE", "ROUTES"], rows);
}
