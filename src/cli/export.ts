/** `peyk message export`: everything that a search finds, as CSV or JSON, written while it is read. */
import { errorMessage } from "../platform/error-code.ts";
import { streamed } from "./client.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { type FilterOptions, filterQuery, messagePages, searchVerb, statusOption } from "./message-search.ts";
import { socketOf } from "./verb.ts";

export function exportCommand(io: CliIo) {
  const words = {
    does: "write all messages that match to standard output, newest first, without their texts",
    examples: [
      "peyk message export --csv --account acc_1 --from 2026-11-01 --to 2026-12-01 > november.csv",
      "peyk message export --csv --route operator-a --error rejected_by_network > refused.csv",
    ],
  };
  return searchVerb("export", words)
    .option(...statusOption)
    .option("--csv", "as CSV (RFC 4180, UTF-8, times in UTC), which is also the default")
    .action(async ({ csv, ...options }) => {
      if (csv === true && options.json === true) throw new UsageError("Say --csv or --json, not both.");
      await (options.json === true ? exportJson(io, options) : exportCsv(io, options));
    });
}

async function exportCsv(io: CliIo, options: FilterOptions): Promise<void> {
  const body = await streamed(socketOf(io, options), "GET /messages/export", filterQuery(options));
  try {
    for await (const bytes of body) await io.stream(bytes);
  } catch (reason) {
    const words = errorMessage(reason);
    throw new CommandFailed("no_answer", `The export broke off, and what was written is not all: ${words}`);
  }
}

async function exportJson(io: CliIo, options: FilterOptions): Promise<void> {
  const encoder = new TextEncoder();
  const write = (text: string) => io.stream(encoder.encode(text));
  let before = "[";
  for await (const page of messagePages(io, options, Number.MAX_SAFE_INTEGER)) {
    await write(`${before}${page.map(jsonText).join(",")}`);
    before = ",";
  }
  await write(before === "[" ? "[]\n" : "]\n");
}
