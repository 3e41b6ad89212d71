/** The `list` verbs: all of it, or what a search finds, a part at a time. */
import type { PartOfList } from "../domain/list-part.ts";
import { answerOf, type OperatorClient } from "./client.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { type CommonOptions, connect, print, type VerbWords, verb } from "./verb.ts";

interface PartOptions {
  query?: string | undefined;
  limit?: string | undefined;
  offset?: string | undefined;
}

/** What the operator API is asked for. */
type PartQuery = { query?: string; limit?: number; offset?: number };

type Reply<Answer> = Parameters<typeof answerOf<Answer>>[0];

interface List<Row> {
  all(api: OperatorClient): Reply<readonly Row[]>;
  part(api: OperatorClient, query: PartQuery): Reply<Omit<PartOfList<unknown>, "rows"> & { rows: readonly Row[] }>;
  table(rows: readonly Row[]): string;
}

export const listVerb = (words: VerbWords) =>
  verb("list", words)
    .option("--query <text>", "a part: those with this text, in any letter case")
    .option("--limit <n>", "a part: at most this many, 1 to 500 (50)")
    .option("--offset <n>", "a part: without this many at the beginning");

/** With one of the options the JSON is an object: the part's rows, its offset, and how many were found of how many. */
export async function askList<Row>(io: CliIo, options: CommonOptions & PartOptions, { all, part, table }: List<Row>) {
  const { query, limit, offset } = options;
  const api = connect(io, options);
  if (query === undefined && limit === undefined && offset === undefined) {
    return print(io, options, await answerOf(all(api)), table);
  }
  const asked = {
    ...(query !== undefined && { query }),
    ...(limit !== undefined && { limit: wholeNumber("--limit", limit, 1, 500) }),
    ...(offset !== undefined && { offset: wholeNumber("--offset", offset, 0, Number.MAX_SAFE_INTEGER) }),
  };
  print(io, options, await answerOf(part(api, asked)), ({ rows, offset: from, found, total }) => {
    if (rows.length === 0) return joinLines([`Nothing was found among ${total}.`]);
    const last = from + rows.length;
    const more = last === found ? "" : ` Go on: --offset ${last}`;
    return table(rows) + joinLines(["", `${from + 1} to ${last} of ${found}.${more}`]);
  });
}
