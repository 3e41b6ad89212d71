/**
 * Price lists: setting, ending and importing prices, showing them, and which accounts are charged and which routes cost
 * by them.
 */

import { Type as t } from "@sinclair/typebox";
import { cleanInput } from "../domain/clean-input.ts";
import { type ListRange, partOfFound } from "../domain/list-part.ts";
import { messageLimits } from "../domain/message.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import type { PriceLine } from "../domain/price-list.ts";
import { measureText, withoutTabs } from "../domain/text.ts";
import { pick } from "../fields/field.ts";
import { billingFields, priceFields, priceImportFields } from "../fields/money.ts";
import { prefixText } from "../messaging/billing/price-lines.ts";
import type { ShownPriceList } from "../messaging/billing/price-service.ts";
import type { PriceChanges } from "../messaging/billing/price-versions.ts";
import { textProblem } from "../messaging/messages/draft.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { addressSchema, fieldSchemas, newSchemas, shortNameSchema } from "./field-schema.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { rangeFields } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";
import { truthField } from "./schemas.ts";

export type PriceListAnswer = ReturnType<typeof priceListAnswer>;
export type PriceLinesAnswer = ReturnType<typeof priceLinesAnswer>;

export function priceListAnswer({ row, lines, accounts, routes }: ShownPriceList, currency: string) {
  return {
    name: row.name,
    /** The currency of the amounts, which are integers in its smallest unit, per part. */
    currency,
    lineCount: lines.length,
    /** Accounts charged by it. */
    accounts: accounts.map(({ accountId, mode }) => ({ account: accountIdText(accountId), billing: mode })),
    /** Routes whose cost it defines. */
    routes: [...routes],
    createdAt: isoTime(row.createdAt),
  };
}

/** What changes return about a list as a whole. */
export function priceListState({ prices, facts }: Pick<OperatorDeps, "prices" | "facts">, name: string) {
  const { lineCount, accounts, routes } = priceListAnswer(prices.show(name), facts.currency);
  return { lineCount, accounts, routes };
}

/** `later`: starts on a future day; `over`: replaced by another price for the same prefix. */
export type PriceState = "valid" | "later" | "over";

function priceLinesAnswer(shown: ShownPriceList, currency: string, now: number) {
  return {
    ...priceListAnswer(shown, currency),
    /** By prefix, then by start. A number's longest matching prefix applies. */
    lines: shown.lines.map((line, index) => priceLineAnswer(line, shown.lines[index + 1], now)),
  };
}

/** `next`: the following line in its list. */
function priceLineAnswer({ prefix, amount, validFrom }: PriceLine, next: PriceLine | undefined, now: number) {
  const isReplaced = next !== undefined && next.prefix === prefix && next.validFrom <= now;
  const state: PriceState = validFrom > now ? "later" : isReplaced ? "over" : "valid";
  return {
    /** `*`: for every number. */
    prefix: prefixText(prefix),
    price: amount,
    validFrom: isoTime(validFrom),
    state,
  };
}

/** Some lines of a list: those whose prefix begins with the query, `98912`, `+98912` or `*`. */
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

/** For an import: lines that changed a price. */
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

/** `listed`: whether the answer includes the lines, of which a list may have fifty thousand. */
const listedField = { listed: truthField };

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

const shownAnswer = ({ facts, clock }: OperatorDeps, shown: ShownPriceList, listed = true) =>
  listed
    ? priceLinesAnswer(shown, facts.currency, clock.now())
    : { ...priceListAnswer(shown, facts.currency), lines: [] };

const listNameOf = (input: Fields) => textIn(input, "list") ?? "";

const importAudit = {
  target: listNameOf,
  state: (deps: OperatorDeps, input: Fields) => foundOrNull(() => priceListState(deps, listNameOf(input))),
};

/** For one prefix; for a price with a later start, as of its first day. */
const priceAudit = {
  target: listNameOf,
  state: (deps: OperatorDeps, input: Fields) => {
    const price = deps.prices.priceOf(listNameOf(input), textIn(input, "prefix") ?? "", textIn(input, "from") ?? "");
    const list = importAudit.state(deps, input);
    return list === null ? null : { ...list, price };
  },
  told: ({ prefix, from }: { prefix: string; from?: string }) => ({ prefix, from: from ?? null }),
};

export type MessageCostAnswer = ReturnType<typeof messageCost>;

/** What a message would cost by the list, whoever sends it. Throws `price_list_not_found`. */
function messageCost(deps: OperatorDeps, { list, recipient, text }: { list: string; recipient: string; text: string }) {
  const { prices, routingPlans, facts } = deps;
  const number = parseMobileNumber(recipient, facts.defaultRegion);
  const sent = withoutTabs(text);
  const problems = [
    ...(number === null ? [problemOf("recipient", "mobile_number", {})] : []),
    ...(textProblem(sent) === null ? [] : [problemOf("text", "text", { min: 1, max: messageLimits.textMax })]),
  ];
  if (number === null || problems.length > 0) throw invalidRequest(problems);
  const { networks } = routingPlans;
  const { network, source: networkSource } = networks.find(number);
  const priced = networks.pricedAs({ recipient: number, network, networkSource });
  const line = prices.lineFor(list, priced);
  const { encoding, characterCount, partCount } = measureText(sent);
  return {
    /** E.164. */
    recipient: number,
    network: network === 0 ? null : networks.nameOf(network),
    encoding,
    characterCount,
    partCount,
    /** The beginning whose price applies; null if the list has none for the number. */
    prefix: line === null ? null : prefixText(line.prefix),
    /** Of one part, and of all of them, in the currency's smallest unit. */
    priceOfPart: line?.amount ?? null,
    price: line === null ? null : line.amount * partCount,
    currency: facts.currency,
  };
}

const priceReads = {
  "GET /prices": reads({
    may: "prices.read",
    run: ({ prices, facts }) => prices.all().map((shown) => priceListAnswer(shown, facts.currency)),
  }),
  "GET /prices/:list": reads({
    may: "prices.read",
    input: { list: t.String(), ...listedField },
    run: (deps, { list, listed }) => shownAnswer(deps, deps.prices.show(list), listed),
  }),
  "GET /prices/:list/lines": reads({
    may: "prices.read",
    input: { list: t.String(), ...rangeFields },
    run: ({ prices, facts, clock }, { list, query = "", limit = 50, offset = 0 }) => {
      const shown = prices.show(list);
      const part = priceLinesPart(shown, { query, limit, offset }, clock.now());
      return { ...part, list: priceListAnswer(shown, facts.currency) };
    },
  }),
  "GET /prices/:list/cost": reads({
    may: "prices.read",
    input: { list: t.String(), recipient: addressSchema, text: t.String() },
    run: messageCost,
  }),
};

const priceChanges = {
  "POST /prices/:list": changes({
    may: "prices.change",
    input: { list: shortNameSchema, ...newSchemas(priceFields), ...listedField },
    run: async (deps, { list, listed, from = "", ...line }) =>
      shownAnswer(deps, await deps.prices.set(list, { ...line, from }), listed),
    audit: { action: "price.set", ...priceAudit },
  }),
  "DELETE /prices/:list/lines/:prefix": changes({
    may: "prices.change",
    input: { list: t.String(), ...fieldSchemas(pick(priceFields, "from")), prefix: t.String(), ...listedField },
    run: async (deps, { list, prefix, from = "", listed }) =>
      shownAnswer(deps, await deps.prices.end(list, prefix, from), listed),
    audit: { action: "price.end", ...priceAudit },
  }),
  "POST /prices/:list/import": changes({
    may: "prices.change",
    input: {
      list: shortNameSchema,
      ...newSchemas(priceImportFields),
    },
    run: async ({ prices, facts }, { csv, leaveOut, ...input }) => {
      const { list, imported, leftOut, changes: changed } = await prices.import(input.list, csv, leaveOut);
      return { ...priceListAnswer(list, facts.currency), imported, leftOut, ...changesAnswer(changed) };
    },
    audit: {
      action: "price.import",
      ...importAudit,
      told: (_, { imported, leftOut, changed, changes: first }) => ({ imported, leftOut, changed, changes: first }),
    },
  }),
};

const idField = { id: t.String() };

const billingAudit = {
  action: "account.bill",
  target: (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "",
  state: (deps: OperatorDeps, input: Fields) =>
    foundOrNull(() => billingAnswer(deps, accountIdOf(textIn(input, "id") ?? ""))),
};

const billingOperations = {
  "PUT /accounts/:id/billing": changes({
    may: "prices.change",
    input: { ...idField, ...newSchemas(billingFields) },
    run: async (deps, { id, list, mode }) => {
      const accountId = accountIdOf(id);
      await deps.prices.charge(accountId, { list, mode });
      return billingAnswer(deps, accountId);
    },
    audit: billingAudit,
  }),
  "DELETE /accounts/:id/billing": changes({
    may: "prices.change",
    input: idField,
    run: async (deps, { id }) => {
      const accountId = accountIdOf(id);
      await deps.prices.charge(accountId, null);
      return billingAnswer(deps, accountId);
    },
    audit: billingAudit,
  }),
};

const costAudit = {
  action: "route.costs",
  target: (input: Fields) => textIn(input, "name") ?? "",
  state: ({ prices }: OperatorDeps, input: Fields) => ({ costList: prices.costListOf(textIn(input, "name") ?? "") }),
};

const costOperations = {
  "PUT /routes/:name/costs": changes({
    may: "prices.change",
    input: { name: t.String(), ...newSchemas(pick(billingFields, "list")) },
    run: async ({ prices }, { name, list }) => {
      await prices.setCosts(name, list);
      return { route: name, costList: list };
    },
    audit: costAudit,
  }),
  "DELETE /routes/:name/costs": changes({
    may: "prices.change",
    input: { name: t.String() },
    run: async ({ prices }, { name }) => {
      await prices.setCosts(name, null);
      return { route: name, costList: null };
    },
    audit: costAudit,
  }),
};

export const priceAdmin = { ...priceReads, ...priceChanges, ...billingOperations, ...costOperations };
