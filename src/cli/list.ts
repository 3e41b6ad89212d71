/** The `list` verbs: all of it, or what a search finds, a part at a time. */
import type { PartOfList } from "../domain/list-part.ts";
import type { answerOf, OperatorClient } from "./client.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, type CommonOptions, type VerbWords, verb } from "./verb.ts";

interface PartOptions {
  query?: string | undefined;
  limit?: string | undefined;
  offset?: string | undefined;
}

/** What the operator API is asked for. */
type PartQuery = { query?: string; limit?: number; offset?: number };

type Part<Row> = Pick<PartOfList<Row>, "rows" | "offset" | "found" | "total">;

type Reply<Answer> = Parameters<typeof answerOf<Answer>>[0];

interface List<Row> {
  all(api: OperatorClient): Reply<readonly Row[]>;
  part(api: OperatorClient, query: PartQuery): Reply<Part<Row>>;
  table(rows: readonly Row[]): string;
}

export const listVerb = (words: VerbWords, name = "list") =>
  verb(name, words)
    .option("--query <text>", "a part: those with this text, in any letter case")
    .option("--limit <n>", "a part: at most this many, 1 to 500 (50)")
    .option("--offset <n>", "a part: without this many at the beginning");

/** With one of the options the JSON is an object: the part's rows, its offset, and how many were found of how many. */
export async function askList<Row>(io: CliIo, options: CommonOptions & PartOptions, { all, part, table }: List<Row>) {
  const asked = partQueryOf(options);
  if (asked === null) return ask(io, options, all, table);
  return ask(
    io,
    options,
    (api) => part(api, asked),
    (found) => listedText(found, table),
  );
}

export const accountQuery = (account: string | undefined) => (account === undefined ? {} : { account });
type AccountQuery = ReturnType<typeof accountQuery>;

interface OwnedList<Row> {
  all(api: OperatorClient, of: AccountQuery): Reply<readonly Row[]>;
  part(api: OperatorClient, query: AccountQuery & PartQuery): Reply<Part<Row>>;
  table(rows: readonly Row[]): string;
}

/** A list of what accounts own: of all, or of one. */
export const ownedListVerb = <Row>(io: CliIo, words: VerbWords, { all, part, table }: OwnedList<Row>) =>
  listVerb(words)
    .option("--account <id>", "only this account's")
    .action(({ account, ...options }) => {
      const of = accountQuery(account);
      return askList(io, options, {
        all: (api) => all(api, of),
        part: (api, query) => part(api, { ...of, ...query }),
        table,
      });
    });

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
