/** Accounts, groups, patterns and what waits for approval, a part at a time: for pages of lists that are thousands of rows long. */
import { Elysia, t } from "elysia";
import { type ListRange, type PartOfList, partOfList } from "../domain/list-part.ts";
import { isoTime } from "../platform/clock.ts";
import { accountAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { groupAnswer } from "./groups.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { patternAnswer } from "./patterns.ts";

const rangeFields = {
  query: t.Optional(t.String({ maxLength: 200 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
  offset: t.Optional(t.Integer({ minimum: 0, error: "must be a whole number from 0" })),
};
const rangeSchema = t.Object(rangeFields);
const accountRangeSchema = t.Object({ ...rangeFields, account: t.Optional(t.String()) });

const limitDefault = 50;

const rangeOf = ({ query = "", limit = limitDefault, offset = 0 }: Partial<ListRange>): ListRange => ({
  query,
  limit,
  offset,
});

const answerOf = <Row, Answer>(part: PartOfList<Row>, rows: readonly Answer[]) => ({ ...part, rows: [...rows] });

interface Owned {
  accountId: number;
  code: string;
  name: string;
}

type ListDeps = Pick<OperatorDeps, "directory" | "groups" | "patterns">;

/** Groups and patterns that could be approved and never were, the longest waiting first. */
function waitingRows({ groups, patterns }: ListDeps) {
  const lists = groups.views(groups.rows().filter(({ draftListId }) => draftListId !== null));
  const ofGroups = lists.flatMap(({ group: { accountId, code, name }, draft }) =>
    draft === null || draft.memberCount === 0
      ? []
      : [{ kind: "group" as const, accountId, code, name, recipientCount: draft.memberCount, since: draft.createdAt }],
  );
  const ofPatterns = patterns
    .rows()
    .filter(({ status }) => status === "draft")
    .map(({ accountId, code, name, text, createdAt }) => {
      return { kind: "pattern" as const, accountId, code, name, text, since: createdAt };
    });
  return [...ofGroups, ...ofPatterns].toSorted((a, b) => a.since - b.since);
}

export function listRoutes({ directory, groups, patterns }: ListDeps) {
  const accountName = (id: number) => directory.account(id)?.name ?? accountIdText(id);
  const textOf = ({ accountId, code, name }: Owned) => `${code} ${name} ${accountName(accountId)}`;
  return new Elysia({ prefix: "/lists" })
    .get(
      "/accounts",
      ({ query }) => {
        const sendersOf = (id: number) => directory.sendersOf(id).map(({ sender }) => sender);
        const part = partOfList(directory.accounts(), rangeOf(query), ({ id, name }) =>
          [accountIdText(id), name, ...sendersOf(id)].join(" "),
        );
        return answerOf(
          part,
          part.rows.map((account) => ({ ...accountAnswer(account), senders: sendersOf(account.id) })),
        );
      },
      { query: rangeSchema },
    )
    .get(
      "/groups",
      ({ query: { account, ...range } }) => {
        const part = partOfList(groups.rows(listedAccountOf(account, directory)), rangeOf(range), textOf);
        const rows = groups.views(part.rows).map((view) => {
          return { ...groupAnswer(view), accountName: accountName(view.group.accountId) };
        });
        return answerOf(part, rows);
      },
      { query: accountRangeSchema },
    )
    .get(
      "/patterns",
      ({ query: { account, ...range } }) => {
        const all = patterns.rows(listedAccountOf(account, directory));
        const part = partOfList(all, rangeOf(range), (pattern) => `${textOf(pattern)} ${pattern.text}`);
        const rows = patterns.views(part.rows).map((view) => {
          return { ...patternAnswer(view), accountName: accountName(view.pattern.accountId) };
        });
        return answerOf(part, rows);
      },
      { query: accountRangeSchema },
    )
    .get(
      "/approvals",
      ({ query }) => {
        const waiting = waitingRows({ directory, groups, patterns });
        const part = partOfList(waiting, rangeOf(query), (row) =>
          row.kind === "pattern" ? `${textOf(row)} ${row.text}` : textOf(row),
        );
        const rows = part.rows.map(({ accountId, since, ...row }) => {
          return {
            ...row,
            account: accountIdText(accountId),
            accountName: accountName(accountId),
            since: isoTime(since),
          };
        });
        return answerOf(part, rows);
      },
      { query: rangeSchema },
    );
}
