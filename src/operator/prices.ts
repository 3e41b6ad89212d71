/** Price lists: write, end and import prices, show them, and say which accounts are charged and which routes cost by them. */
import { Elysia, t } from "elysia";
import { cleanInput } from "../domain/clean-input.ts";
import { type ListRange, partOfFound } from "../domain/list-part.ts";
import type { PriceLine } from "../domain/price-list.ts";
import { prefixText } from "../messaging/billing/price-lines.ts";
import type { ShownPriceList } from "../messaging/billing/price-service.ts";
import type { PriceChanges } from "../messaging/billing/price-versions.ts";
import { isoTime } from "../platform/clock.ts";
import { billingModes } from "../store/schema.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { codeSchema, oneOf } from "./schemas.ts";

/** Holds the prices of the world by network, some fifty thousand lines. */
export const priceFileCharactersMax = 1024 * 1024;

const wordSchema = t.String({ maxLength: 40 });

export type PriceListAnswer = ReturnType<typeof priceListAnswer>;
export type PriceLinesAnswer = ReturnType<typeof priceLinesAnswer>;

export function priceListAnswer({ row, lines, accounts, routes }: ShownPriceList, currency: string) {
  return {
    name: row.name,
    /** Of the amounts, which are whole numbers of its smallest unit, for a part. */
    currency,
    lineCount: lines.length,
    /** That are charged by it. */
    accounts: accounts.map(({ accountId, mode }) => ({ account: accountIdText(accountId), billing: mode })),
    /** That cost by it. */
    routes: [...routes],
    createdAt: isoTime(row.createdAt),
  };
}

/** What changes tell of a list as a whole. */
export function priceListState({ prices, facts }: Pick<OperatorDeps, "prices" | "facts">, name: string) {
  const { lineCount, accounts, routes } = priceListAnswer(prices.show(name), facts.currency);
  return { lineCount, accounts, routes };
}

/** `later`: from a day that comes; `over`: another price of the same beginning took its place. */
export type PriceState = "valid" | "later" | "over";

function priceLinesAnswer(shown: ShownPriceList, currency: string, now: number) {
  return {
    ...priceListAnswer(shown, currency),
    /** By prefix, and from the earliest on. The longest prefix of a number counts. */
    lines: shown.lines.map((line, index) => priceLineAnswer(line, shown.lines[index + 1], now)),
  };
}

/** `next`: the line after it in its list. */
function priceLineAnswer({ prefix, amount, validFrom }: PriceLine, next: PriceLine | undefined, now: number) {
  const isReplaced = next !== undefined && next.prefix === prefix && next.validFrom <= now;
  const state: PriceState = validFrom > now ? "later" : isReplaced ? "over" : "valid";
  return {
    /** `*`: of every number. */
    prefix: prefixText(prefix),
    price: amount,
    validFrom: isoTime(validFrom),
    state,
  };
}

/** Some lines of a list: those whose prefix begins with what is sought, `98912`, `+98912` or `*`. */
export function priceLinesPart({ lines }: ShownPriceList, { query, ...range }: ListRange, now: number) {
  const sought = cleanInput(query).replace(/^(?:\+|00)/, "");
  const found: number[] = [];
  for (const [index, { prefix }] of lines.entries()) if (prefixText(prefix).startsWith(sought)) found.push(index);
  const part = partOfFound(found, lines.length, range);
  const rows = part.rows.flatMap((index) => {
    const line = lines[index];
    return line === undefined ? [] : [priceLineAnswer(line, lines[index + 1], now)];
  });
  return { ...part, rows };
}

/** Of an import: lines in whose place another price counted. */
const changesAnswer = ({ count, first }: PriceChanges) => ({
  changed: count,
  /** The first hundred of them. */
  changes: first.map(({ prefix, validFrom, before, after }) => ({
    prefix: prefixText(prefix),
    validFrom: isoTime(validFrom),
    before,
    after,
  })),
});

/** `listed`: whether the answer names the lines, of which a list may have fifty thousand. */
const listedSchema = t.Object({ listed: t.Optional(t.BooleanString({ error: "must be true or false" })) });

export type BillingAnswer = ReturnType<typeof billingAnswer>;

/** How an account pays: `free`, `postpaid` or `prepaid`. */
export function billingAnswer({ prices }: Pick<OperatorDeps, "prices">, accountId: number) {
  const found = prices.billingOf(accountId);
  return {
    account: accountIdText(accountId),
    billing: found?.mode ?? ("free" as const),
    priceList: found?.list ?? null,
  };
}

export function priceRoutes(deps: OperatorDeps) {
  const { prices, clock, facts } = deps;
  const answer = (shown: ShownPriceList, { listed = true }: typeof listedSchema.static) =>
    listed
      ? priceLinesAnswer(shown, facts.currency, clock.now())
      : { ...priceListAnswer(shown, facts.currency), lines: [] };
  return new Elysia()
    .get("/prices", () => prices.all().map((shown) => priceListAnswer(shown, facts.currency)))
    .get("/prices/:list", ({ params, query }) => answer(prices.show(params.list), query), { query: listedSchema })
    .post(
      "/prices/:list",
      async ({ params, query, body: { from = "", ...line } }) =>
        answer(await prices.set(params.list, { ...line, from }), query),
      {
        query: listedSchema,
        params: t.Object({ list: codeSchema }),
        body: t.Object({ prefix: wordSchema, price: wordSchema, from: t.Optional(wordSchema) }),
      },
    )
    .delete(
      "/prices/:list/lines/:prefix",
      async ({ params, query: { from = "", ...query } }) =>
        answer(await prices.end(params.list, params.prefix, from), query),
      { query: t.Object({ ...listedSchema.properties, from: t.Optional(wordSchema) }) },
    )
    .post(
      "/prices/:list/import",
      async ({ params, body }) => {
        const { list, imported, changes } = await prices.import(params.list, body.csv);
        return { ...priceListAnswer(list, facts.currency), imported, ...changesAnswer(changes) };
      },
      {
        params: t.Object({ list: codeSchema }),
        body: t.Object({ csv: t.String({ maxLength: priceFileCharactersMax, error: "has more than 1 MiB" }) }),
      },
    )
    .get("/accounts/:id/billing", ({ params }) => billingAnswer(deps, accountIdOf(params.id)))
    .put(
      "/accounts/:id/billing",
      async ({ params, body: { list, mode } }) => {
        const accountId = accountIdOf(params.id);
        await prices.charge(accountId, { list, mode });
        return billingAnswer(deps, accountId);
      },
      { body: t.Object({ list: t.String(), mode: oneOf(billingModes) }) },
    )
    .delete("/accounts/:id/billing", async ({ params }) => {
      const accountId = accountIdOf(params.id);
      await prices.charge(accountId, null);
      return billingAnswer(deps, accountId);
    })
    .put(
      "/routes/:name/costs",
      async ({ params, body }) => {
        await prices.setCosts(params.name, body.list);
        return { route: params.name, costList: body.list };
      },
      { body: t.Object({ list: t.String() }) },
    )
    .delete("/routes/:name/costs", async ({ params }) => {
      await prices.setCosts(params.name, null);
      return { route: params.name, costList: null };
    });
}
