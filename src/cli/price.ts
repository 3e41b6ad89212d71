/** `peyk price …`: the price of a part by number prefix, for accounts and for routes. */
import { billingModes } from "../domain/price-list.ts";
import { endedPriceFields, priceFields } from "../fields/money.ts";
import type { BillingAnswer, PriceLinesAnswer, PriceListAnswer } from "../operator/prices.ts";
import { fileFailure } from "../platform/error-code.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { saidNewFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { listedText, listVerb, partQueryOf } from "./list.ts";
import { amountText } from "./money-text.ts";
import { formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { oneWordOf } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function priceCommand(io: CliIo) {
  return noun("price", "what a part costs by the beginning of the number, for accounts and of routes")
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(set(io))
    .addCommand(end(io))
    .addCommand(importFile(io))
    .addCommand(assign(io))
    .addCommand(unassign(io));
}

function list(io: CliIo) {
  const words = { does: "list price lists, and who is charged or costs by each", examples: ["peyk price list"] };
  return verb("list", words).action((options) => ask(io, options, (api) => api("GET /prices"), listTable));
}

function show(io: CliIo) {
  const words = {
    does: "show the lines of a price list",
    examples: ["peyk price show retail", "peyk price show retail --query 98912 --limit 100"],
  };
  return listVerb(words, "show")
    .argument("<list>", "name of a price list")
    .action((list, options) => {
      const query = partQueryOf(options);
      if (query === null) return ask(io, options, (api) => api("GET /prices/:list", { list }), linesText);
      return ask(
        io,
        options,
        (api) => api("GET /prices/:list/lines", { list, ...query }),
        (part) => listedText(part, (lines) => linesText({ currency: part.list.currency, lines })),
      );
    });
}

function set(io: CliIo) {
  const words = {
    does: "write a price into a list, which is made where there is none; from now on, or from a day on",
    examples: [
      "peyk price set retail --prefix '*' --price 1200",
      "peyk price set retail --prefix 98912 --price 900 --from 2026-12-01",
    ],
  };
  const command = verb("set", words).argument("<list>", "name of a price list");
  return withNewFields(command, priceFields).action((list, options) => {
    const line = saidNewFields(priceFields, options);
    return ask(io, options, (api) => api("POST /prices/:list", { list, ...line }), linesText);
  });
}

function end(io: CliIo) {
  const words = {
    does: "end the prices of a beginning: its numbers cost by the next shorter one from now on",
    examples: ["peyk price end retail --prefix 98912", "peyk price end retail --prefix 98912 --from 2026-12-01"],
  };
  const command = verb("end", words).argument("<list>", "name of a price list");
  return withNewFields(command, endedPriceFields).action((list, options) => {
    const line = saidNewFields(endedPriceFields, options);
    return ask(io, options, (api) => api("DELETE /prices/:list/lines/:prefix", { list, ...line }), linesText);
  });
}

function importFile(io: CliIo) {
  const words = {
    does: "write the prices of a CSV file into a list: all of them, or none where a line is wrong",
    examples: ["peyk price import retail --csv prices.csv"],
  };
  return verb("import", words)
    .argument("<list>", "name of a price list")
    .requiredOption("--csv <file>", "columns prefix, price and, where it is not at once, from; - is standard input")
    .action(async (name, { csv: path, ...options }) => {
      const csv = await fileText(io, path);
      return ask(
        io,
        options,
        (api) => api("POST /prices/:list/import", { list: name, csv }),
        ({ imported, lineCount }) =>
          `${imported === 1 ? "1 price was" : `${imported} prices were`} written into ${name}, which has ${lineCount} now.\n`,
      );
    });
}

async function fileText(io: CliIo, path: string): Promise<string> {
  if (path === "-") return io.readStdin();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Bun.file(path).bytes());
  } catch (reason) {
    if (reason instanceof TypeError) throw new CommandFailed("file_unreadable", `${path} is not UTF-8.`);
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
  }
}

function assign(io: CliIo) {
  const words = {
    does: "charge an account by a price list, or say by which a route costs",
    examples: [
      "peyk price assign retail --account acc_1 --billing prepaid",
      "peyk price assign operator-a-costs --route operator-a",
    ],
  };
  return verb("assign", words)
    .argument("<list>", "name of a price list")
    .option("--account <id>", "the account to charge")
    .option("--billing <mode>", `${billingModes.join(" or ")}: a prepaid account is refused what it cannot pay`)
    .option("--route <name>", "the route whose costs the list tells")
    .action((name, { account, billing, route, ...options }) => {
      if (route !== undefined && account === undefined && billing === undefined) {
        const body = { list: name };
        return ask(io, options, (api) => api("PUT /routes/:name/costs", { name: route, ...body }), costText);
      }
      if (account === undefined || billing === undefined || route !== undefined)
        throw new UsageError("Say --account and --billing, or --route.");
      const body = { list: name, mode: oneWordOf("--billing", billingModes, billing) };
      return ask(io, options, (api) => api("PUT /accounts/:id/billing", { id: account, ...body }), billingText);
    });
}

function unassign(io: CliIo) {
  const words = {
    does: "let an account send free of charge, or forget what a route costs",
    examples: ["peyk price unassign --account acc_1", "peyk price unassign --route operator-a"],
  };
  return verb("unassign", words)
    .option("--account <id>", "the account")
    .option("--route <name>", "the route")
    .action(({ account, route, ...options }) => {
      if (account !== undefined && route === undefined)
        return ask(io, options, (api) => api("DELETE /accounts/:id/billing", { id: account }), billingText);
      if (route !== undefined && account === undefined)
        return ask(io, options, (api) => api("DELETE /routes/:name/costs", { name: route }), costText);
      throw new UsageError("Say --account or --route.");
    });
}

const billingText = ({ account, billing, priceList }: BillingAnswer) =>
  joinLines([
    priceList === null ? `${account} sends free of charge.` : `${account} is charged by ${priceList}, ${billing}.`,
  ]);

const costText = ({ route, costList }: { route: string; costList: string | null }) =>
  joinLines([costList === null ? `What ${route} costs is not known.` : `${route} costs by ${costList}.`]);

function listTable(lists: readonly PriceListAnswer[]): string {
  if (lists.length === 0) return "There is no price list. Make one: peyk price set NAME --prefix '*' --price AMOUNT\n";
  const rows = lists.map(({ name, currency, lineCount, accounts, routes }) => [
    name,
    currency,
    String(lineCount),
    orDash(accounts.map(({ account, billing }) => `${account} (${billing})`).join(", ")),
    orDash(routes.join(", ")),
  ]);
  return formatTable(["LIST", "CURRENCY", "LINES", "CHARGES", "COSTS OF"], rows);
}

interface LinesOfList {
  currency: string;
  lines: readonly PriceLinesAnswer["lines"][number][];
}

function linesText({ currency, lines }: LinesOfList): string {
  const rows = lines.map(({ prefix, price, validFrom, state }) => [
    prefix,
    amountText(price, currency),
    shortTime(validFrom),
    state,
  ]);
  return formatTable(["PREFIX", currency, "FROM", "STATE"], rows);
}
