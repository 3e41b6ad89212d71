/** Lists: the whole list or the matches of a search, a page at a time. */
import { Type as t } from "@sinclair/typebox";
import { comparableText } from "../domain/clean-input.ts";
import { type ListRange, type PartOfList, partOfList } from "../domain/list-part.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField } from "./field-schema.ts";
import { accountIdText } from "./ids.ts";
import { reads } from "./operation.ts";

/** Without any of them, the whole list is returned. */
export const rangeFields = {
  query: t.Optional(t.String({ maxLength: 200 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 500 })),
  offset: t.Optional(t.Integer({ minimum: 0 })),
};
/** For things that accounts own. */
export const ownedRangeFields = { ...rangeFields, account: accountField };

const limitDefault = 50;

/** Null if the whole list is requested. */
export function rangeIn({ query, limit, offset }: Partial<ListRange>): ListRange | null {
  if (query === undefined && limit === undefined && offset === undefined) return null;
  return { query: query ?? "", limit: limit ?? limitDefault, offset: offset ?? 0 };
}

export const wholeList = <Row>(rows: readonly Row[]): PartOfList<Row> => ({
  rows,
  offset: 0,
  found: rows.length,
  total: rows.length,
});

/** For rows in memory; `textOf`: the text to search. */
export function listed<Row>(rows: readonly Row[], asked: Partial<ListRange>, textOf: (row: Row) => string) {
  const range = rangeIn(asked);
  return range === null ? wholeList(rows) : partOfList(rows, range, textOf);
}

export const answerRows = <Row, Answer>(part: PartOfList<Row>, answer: (row: Row) => Answer) => ({
  ...part,
  rows: part.rows.map(answer),
});

/** The whole name in any letter case; everything if no name is given. */
export const isNamed = (name: string | undefined, own: string): boolean =>
  name === undefined || comparableText(own) === comparableText(name);

export const accountNameOf = ({ directory }: Pick<OperatorDeps, "directory">, id: number) =>
  directory.account(id)?.name ?? accountIdText(id);

export const approvalAdmin = {
  /** Groups and patterns awaiting approval. */
  "GET /approvals": reads({
    may: "groups.approve",
    input: rangeFields,
    run: async ({ approvals }, asked) => {
      const part = await approvals.waiting({ query: "", limit: limitDefault, offset: 0, ...asked });
      return answerRows(part, ({ id: _, accountId, since, kind, text, recipientCount, ...row }) => ({
        ...row,
        ...(kind === "group" ? { kind, recipientCount } : { kind, text }),
        account: accountIdText(accountId),
        since: isoTime(since),
      }));
    },
  }),
};
