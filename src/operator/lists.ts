/** Accounts, their senders, keys, lines and webhooks, groups, patterns, what waits for approval, prices and users, a part at a time: for pages of lists that are thousands of rows long. */
import { Elysia, t } from "elysia";
import { comparableText } from "../domain/clean-input.ts";
import { type ListRange, type PartOfList, partOfList } from "../domain/list-part.ts";
import { isoTime } from "../platform/clock.ts";
import { accountAnswer, isKeyDue, keyAnswer, keyStatus, senderAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { groupAnswer } from "./groups.ts";
import { accountIdOf, accountIdText, keyIdText, listedAccountOf } from "./ids.ts";
import { lineAnswer } from "./lines.ts";
import { patternAnswer } from "./patterns.ts";
import { priceLinesPart, priceListAnswer } from "./prices.ts";
import { userAnswer } from "./users.ts";
import { webhookAnswer } from "./webhooks.ts";

const rangeFields = {
  query: t.Optional(t.String({ maxLength: 200 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
  offset: t.Optional(t.Integer({ minimum: 0, error: "must be a whole number from 0" })),
};
const rangeSchema = t.Object(rangeFields);
/** Those that are called so: the whole name, in any letter case. */
const named = t.Optional(t.String({ maxLength: 200 }));
const accountsSchema = t.Object({
  ...rangeFields,
  name: named,
  /** These alone, with commas between. */
  ids: t.Optional(t.String({ maxLength: 10_000 })),
  /** Those alone that are charged by it. */
  priceList: t.Optional(t.String()),
});
const accountRangeSchema = t.Object({ ...rangeFields, account: t.Optional(t.String()) });
const keyRangeSchema = t.Object({
  ...accountRangeSchema.properties,
  /** Those alone that are to be renewed soon. */
  due: t.Optional(t.BooleanString({ error: "must be true or false" })),
});
const senderRangeSchema = t.Object({
  ...accountRangeSchema.properties,
  name: named,
  active: t.Optional(t.BooleanString({ error: "must be true or false" })),
});

const isNamed = (name: string | undefined, own: string): boolean =>
  name === undefined || comparableText(own) === comparableText(name);

const limitDefault = 50;

const rangeOf = ({ query = "", limit = limitDefault, offset = 0 }: Partial<ListRange>): ListRange => ({
  query,
  limit,
  offset,
});

const answerOf = <Row, Answer>(part: PartOfList<Row>, answer: (row: Row) => Answer) => ({
  ...part,
  rows: part.rows.map(answer),
});

type ListDeps = Pick<
  OperatorDeps,
  | "directory"
  | "inbound"
  | "routingPlans"
  | "groups"
  | "patterns"
  | "approvals"
  | "webhooks"
  | "users"
  | "prices"
  | "facts"
  | "clock"
>;

export const listRoutes = (deps: ListDeps) =>
  new Elysia().use(directoryLists(deps)).use(accessLists(deps)).use(approvedLists(deps));

const accountNamer =
  ({ directory }: Pick<ListDeps, "directory">) =>
  (id: number) =>
    directory.account(id)?.name ?? accountIdText(id);

function directoryLists({ directory, routingPlans, prices }: ListDeps) {
  const accountName = accountNamer({ directory });
  return new Elysia({ prefix: "/lists" })
    .get(
      "/accounts",
      ({ query: { name, ids, priceList, ...range } }) => {
        const sendersOf = (id: number) => directory.sendersOf(id).map(({ sender }) => sender);
        const listed = ids?.split(",").flatMap((id) => directory.account(accountIdOf(id)) ?? []);
        const charged = priceList === undefined ? null : prices.accountsOf(priceList);
        const wanted = (listed ?? directory.accounts()).filter(
          (account) => isNamed(name, account.name) && charged?.has(account.id) !== false,
        );
        const part = partOfList(wanted, rangeOf(range), (account) =>
          [accountIdText(account.id), account.name, ...sendersOf(account.id)].join(" "),
        );
        return answerOf(part, (account) => ({
          ...accountAnswer(account),
          billing: prices.billingOf(account.id)?.mode ?? ("free" as const),
          senders: sendersOf(account.id),
        }));
      },
      { query: accountsSchema },
    )
    .get(
      "/senders",
      ({ query: { account, name, active, ...range } }) => {
        const accountId = listedAccountOf(account, directory);
        const accountIds = accountId === undefined ? directory.accounts().map(({ id }) => id) : [accountId];
        const wanted = accountIds
          .flatMap((id) => directory.sendersOf(id))
          .filter((one) => isNamed(name, one.sender) && (active === undefined || one.active === active));
        const part = partOfList(wanted, rangeOf(range), ({ accountId: id, sender }) =>
          [sender, accountIdText(id), accountName(id)].join(" "),
        );
        return answerOf(part, (sender) => ({
          ...senderAnswer(sender, { directory, routingPlans }),
          accountName: accountName(sender.accountId),
        }));
      },
      { query: senderRangeSchema },
    );
}

/** Who comes in by what, who is called back, and what it costs. */
function accessLists({ directory, inbound, webhooks, users, prices, facts, clock }: ListDeps) {
  const accountName = accountNamer({ directory });
  return new Elysia({ prefix: "/lists" })
    .get(
      "/keys",
      ({ query: { account, due, ...range } }) => {
        const accountId = listedAccountOf(account, directory);
        const own = accountId === undefined ? directory.keys() : directory.keysOf(accountId);
        const keys = own.filter((key) => due === undefined || isKeyDue(key, clock.now()) === due);
        // Those that authenticate come first.
        const byState = Map.groupBy(keys, (key) => keyStatus(key, clock.now()) === "active");
        const part = partOfList(
          [true, false].flatMap((active) => byState.get(active) ?? []),
          rangeOf(range),
          (key) => [keyIdText(key.id), key.name, accountName(key.accountId)].join(" "),
        );
        return answerOf(part, (key) => keyAnswer(key, clock.now()));
      },
      { query: keyRangeSchema },
    )
    .get(
      "/webhooks",
      async ({ query: { account, ...range } }) => {
        const part = await webhooks.part(rangeOf(range), listedAccountOf(account, directory));
        return answerOf(part, (view) => ({ ...webhookAnswer(view), accountName: accountName(view.webhook.accountId) }));
      },
      { query: accountRangeSchema },
    )
    .get(
      "/prices/:list",
      ({ params, query }) => {
        const shown = prices.show(params.list);
        const part = priceLinesPart(shown, rangeOf(query), clock.now());
        return { ...part, list: priceListAnswer(shown, facts.currency) };
      },
      { query: rangeSchema },
    )
    .get(
      "/lines",
      async ({ query: { account, ...range } }) => {
        const part = await inbound.lines.part(rangeOf(range), listedAccountOf(account, directory));
        return answerOf(part, (line) => ({ ...lineAnswer(line), accountName: accountName(line.accountId) }));
      },
      { query: accountRangeSchema },
    )
    .get(
      "/users",
      async ({ query }) => {
        const part = await users.part(rangeOf(query));
        return answerOf(part, (user) => ({
          ...userAnswer(user),
          accountName: user.accountId === null ? null : accountName(user.accountId),
        }));
      },
      { query: rangeSchema },
    );
}

function approvedLists({ directory, groups, patterns, approvals }: ListDeps) {
  const accountName = accountNamer({ directory });
  return new Elysia({ prefix: "/lists" })
    .get(
      "/groups",
      async ({ query: { account, ...range } }) => {
        const part = await groups.part(rangeOf(range), listedAccountOf(account, directory));
        return answerOf(part, (view) => ({ ...groupAnswer(view), accountName: accountName(view.group.accountId) }));
      },
      { query: accountRangeSchema },
    )
    .get(
      "/patterns",
      async ({ query: { account, ...range } }) => {
        const part = await patterns.part(rangeOf(range), listedAccountOf(account, directory));
        return answerOf(part, (view) => ({ ...patternAnswer(view), accountName: accountName(view.pattern.accountId) }));
      },
      { query: accountRangeSchema },
    )
    .get(
      "/approvals",
      async ({ query }) => {
        const part = await approvals.waiting(rangeOf(query));
        return answerOf(part, ({ id: _, accountId, since, kind, text, recipientCount, ...row }) => ({
          ...row,
          ...(kind === "group" ? { kind, recipientCount } : { kind, text }),
          account: accountIdText(accountId),
          since: isoTime(since),
        }));
      },
      { query: rangeSchema },
    );
}
