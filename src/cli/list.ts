/** The `list` verbs: all of it, or what a search finds, a part at a time. */
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

/** What the operator API is asked for; everything where nothing is said. */
type PartQuery = { query?: string; limit?: number; offset?: number };

type Part<Row> = Pick<PartOfList<Row>, "rows" | "offset" | "found" | "total">;

interface List<Row, Plain> {
  part(api: OperatorClient, query: PartQuery): Promise<Part<Row>>;
  /** A row of the whole list as JSON, which names fewer things than a part does. */
  whole(row: Row): Plain;
  table(rows: readonly NoInfer<Row>[]): string;
}

export const listVerb = (words: VerbWords, name = "list") =>
  verb(name, words)
    .option("--query <text>", "a part: those with this text, in any letter case")
    .option("--limit <n>", "a part: at most this many, 1 to 500 (50)")
    .option("--offset <n>", "a part: without this many at the beginning");

/** With one of the options the JSON is an object: the part's rows, its offset, and how many were found of how many. */
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

/** A list of what accounts own: of all, or of one. */
export const ownedListVerb = <Row, Plain>(io: CliIo, words: VerbWords, { part, ...list }: OwnedList<Row, Plain>) =>
  listVerb(words)
    .option("--account <id>", "only this account's")
    .action(({ account, ...options }) =>
      askList(io, options, { ...list, part: (api, query) => part(api, { account, ...query }) }),
    );

/** Null where no part is asked for. */
export function partQueryOf({ query, limit, offset }: PartOptions): PartQuery | null {
  if (query === undefined && limit === undefined && offset === undefined) return null;
  return {
    ...(query !== undefined && { query }),
    ...(limit !== undefined && { limit: wholeNumber("--limit", limit, 1, 500) }),
    ...(offset !== undefined && { offset: wholeNumber("--offset", offset, 0, Number.MAX_SAFE_INTEGER) }),
  };
}

/** The part's table, and where to go on. */
export function listedText<Row>(part: Part<Row>, table: (rows: readonly Row[]) => string): string {
  const { rows, offset, found, total } = part;
  if (rows.length === 0) return joinLines([`Nothing was found among ${total}.`]);
  const last = offset + rows.length;
  const more = last === found ? "" : ` Go on: --offset ${last}`;
  return table(rows) + joinLines(["", `${offset + 1} to ${last} of ${found}.${more}`]);
}
