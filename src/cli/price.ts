/** `peyk price …`: the price of a part by number prefix, for accounts and for routes. */

import { amountText } from "../domain/money-text.ts";
import { billingModes } from "../domain/price-list.ts";
import { endedPriceFields, priceFields } from "../fields/money.ts";
import type { BillingAnswer, PriceLinesAnswer, PriceListAnswer } from "../operator/prices.ts";
import { fileFailure } from "../platform/error-code.ts";
import { calls, listedText, must, noun, rangeOptions, typed, wordOf } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { saidFields, withFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { ask, verb } from "./verb.ts";

async function fileText(io: CliIo, path: string): Promise<string> {
  if (path === "-") return io.readStdin();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Bun.file(path).bytes());
  } catch (reason) {
    if (reason instanceof TypeError) throw new CommandFailed("file_unreadable", `${path} is not UTF-8.`);
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
  }
}

function assignedText(answer: BillingAnswer | { route: string; costList: string | null }): string {
  if ("costList" in answer) {
    const { route, costList } = answer;
    return joinLines([costList === null ? `What ${route} costs is not known.` : `${route} costs by ${costList}.`]);
  }
  const { account, billing, priceList } = answer;
  const charged =
    priceList === null ? `${account} sends free of charge.` : `${account} is charged by ${priceList}, ${billing}.`;
  return joinLines([charged]);
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

const listTable = tableOf<PriceListAnswer>(
  "There is no price list. Make one: peyk price set NAME --prefix '*' --price AMOUNT",
  {
    LIST: "name",
    CURRENCY: "currency",
    LINES: "lineCount",
    CHARGES: ({ accounts }) => orDash(accounts.map(({ account, billing }) => `${account} (${billing})`).join(", ")),
    "COSTS OF": ({ routes }) => orDash(routes.join(", ")),
  },
);

function show(io: CliIo) {
  const words = {
    does: "show the lines of a price list",
    examples: ["peyk price show retail", "peyk price show retail --query 98912 --limit 100"],
  };
  return withFields(verb("show", words).argument("<list>", of.list), rangeOptions).action((list, options) => {
    const query = saidFields(rangeOptions, options);
    if (Object.keys(query).length === 0)
      return ask(io, options, (api) => api("GET /prices/:list", { list }), linesText);
    return ask(
      io,
      options,
      (api) => api("GET /prices/:list/lines", { list, ...query }),
      (part) => listedText(part, (lines) => linesText({ currency: part.list.currency, lines })),
    );
  });
}

const of = { list: "name of a price list" };

export const priceCommand = noun(
  "price",
  "what a part costs by the beginning of the number, for accounts and of routes",
  {
    list: calls({
      does: "list price lists, and who is charged or costs by each",
      examples: ["peyk price list"],
      call: (api) => api("GET /prices"),
      text: listTable,
    }),
    show,
    set: calls({
      does: "write a price into a list, which is made where there is none; from now on, or from a day on",
      examples: [
        "peyk price set retail --prefix '*' --price 1200",
        "peyk price set retail --prefix 98912 --price 900 --from 2026-12-01",
      ],
      of,
      options: priceFields,
      call: (api, given) => api("POST /prices/:list", given),
      text: linesText,
    }),
    end: calls({
      does: "end the prices of a beginning: its numbers cost by the next shorter one from now on",
      examples: ["peyk price end retail --prefix 98912", "peyk price end retail --prefix 98912 --from 2026-12-01"],
      of,
      options: endedPriceFields,
      call: (api, given) => api("DELETE /prices/:list/lines/:prefix", given),
      text: linesText,
    }),
    import: calls({
      does: "write the prices of a CSV file into a list: all of them, or none where a line is wrong",
      examples: ["peyk price import retail --csv prices.csv"],
      of,
      options: {
        csv: must(typed("csv <file>", "columns prefix, price and, where it is not at once, from; - is standard input")),
      },
      call: async (api, { list, csv }, io) => api("POST /prices/:list/import", { list, csv: await fileText(io, csv) }),
      text: ({ imported, lineCount }, { list }) =>
        `${imported === 1 ? "1 price was" : `${imported} prices were`} written into ${list}, which has ${lineCount} now.\n`,
    }),
    assign: calls({
      does: "charge an account by a price list, or say by which a route costs",
      examples: [
        "peyk price assign retail --account acc_1 --billing prepaid",
        "peyk price assign operator-a-costs --route operator-a",
      ],
      of,
      options: {
        account: typed("account <id>", "the account to charge"),
        billing: wordOf(
          "billing <mode>",
          billingModes,
          `${billingModes.join(" or ")}: a prepaid account is refused what it cannot pay`,
        ),
        route: typed("route <name>", "the route whose costs the list tells"),
      },
      call: async (api, { list, account, billing: mode, route }) => {
        if (route !== undefined && account === undefined && mode === undefined)
          return api("PUT /routes/:name/costs", { name: route, list });
        if (account === undefined || mode === undefined || route !== undefined)
          throw new UsageError("Say --account and --billing, or --route.");
        return api("PUT /accounts/:id/billing", { id: account, list, mode });
      },
      text: assignedText,
    }),
    unassign: calls({
      does: "let an account send free of charge, or forget what a route costs",
      examples: ["peyk price unassign --account acc_1", "peyk price unassign --route operator-a"],
      options: { account: typed("account <id>", "the account"), route: typed("route <name>", "the route") },
      call: async (api, { account, route }) => {
        if (account !== undefined && route === undefined) return api("DELETE /accounts/:id/billing", { id: account });
        if (route !== undefined && account === undefined) return api("DELETE /routes/:name/costs", { name: route });
        throw new UsageError("Say --account or --route.");
      },
      text: assignedText,
    }),
  },
);
