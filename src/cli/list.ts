/** The `list` verbs: the whole list or the matches of a search, a page at a time. */
import type { PartOfList } from "../domain/list-part.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { type CommonOptions, connect, print, type VerbWords, verb } from "./verb.ts";

interface PartOptions {
  query?: string | undefined;
  limit?: string | undefined;
  offset?: string | undefined;
}

/** The query for the operator API; no fields means the whole list. */
type PartQuery = { query?: string; limit?: number; offset?: number };

type Part<Row> = Pick<PartOfList<Row>, "rows" | "offset" | "found" | "total">;

interface List<Row, Plain> {
  part(api: OperatorClient, query: PartQuery): Promise<Part<Row>>;
  /** A row of the whole list as JSON, which has fewer fields than a row of a page. */
  whole(row: Row): Plain;
  table(rows: readonly NoInfer<Row>[]): string;
}

export const listVerb = (words: VerbWords, name = "list") =>
  verb(name, words)
    .option("--query <text>", "a part: those with this text, in any letter case")
    .option("--limit <n>", "a part: at most this many, 1 to 500 (50)")
    .option("--offset <n>", "a part: without this many at the beginning");

/** With any of the options, the JSON is an object: the page's rows, its offset, the number found and the total. */
export async function askList<Row, Plain>(
  io: CliIo,
  options: CommonOptions & PartOptions,
  { part, whole, table }: List<Row, Plain>,
) {
  const asked = partQueryOf(options);
  const found = await part(connect(io, options), asked ?? {});
  if (asked !== null) return print(io, options, found, () => listedText(found, table));
  return print(io, options, found.rows.map(whole), () => table(found.rows));
}

interface OwnedList<Row, Plain> extends Pick<List<Row, Plain>, "whole" | "table"> {
  part(api: OperatorClient, query: PartQuery & { account?: string | undefined }): Promise<Part<Row>>;
}

/** A list of things that accounts own: for all accounts, or for one. */
export const ownedListVerb = <Row, Plain>(io: CliIo, words: VerbWords, { part, ...list }: OwnedList<Row, Plain>) =>
  listVerb(words)
    .option("--account <id>", "only this account's")
    .action(({ account, ...options }) =>
      askList(io, options, { ...list, part: (api, query) => part(api, { account, ...query }) }),
    );

/** Null if no page is requested. */
export function partQueryOf({ query, limit, offset }: PartOptions): PartQuery | null {
  if (query === undefined && limit === undefined && offset === undefined) return null;
  return {
    ...(query !== undefined && { query }),
    ...(limit !== undefined && { limit: wholeNumber("--limit", limit, 1, 500) }),
    ...(offset !== undefined && { offset: wholeNumber("--offset", offset, 0, Number.MAX_SAFE_INTEGER) }),
  };
}

/** The page's table, and how to continue. */
export function listedText<Row>(part: Part<Row>, table: (rows: readonly Row[]) => string): string {
  const { rows, offset, found, total } = part;
  if (rows.length === 0) return joinLines([`Nothing was found among ${total}.`]);
  const last = offset + rows.length;
  const more = last === found ? "" : ` Go on: --offset ${last}`;
  return table(rows) + joinLines(["", `${offset + 1} to ${last} of ${found}.${more}`]);
}
