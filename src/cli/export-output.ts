/** Exports written to standard output as they arrive: millions of rows need little memory, and one cut short fails. */
import { errorMessage } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";

/** @throws CommandFailed if the service ends before the export does */
export async function writeStream(io: CliIo, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const bytes of body) await io.stream(bytes);
  } catch (reason) {
    const words = errorMessage(reason);
    throw new CommandFailed("no_answer", `The export broke off, and what was written is not all: ${words}`);
  }
}

/** Writes all entries of `pages` as one JSON array. */
export async function writeArray(io: CliIo, pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  const encoder = new TextEncoder();
  const write = (text: string) => io.stream(encoder.encode(text));
  let before = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    await write(`${before}${page.map((entry) => jsonText(entry)).join(",")}`);
    before = ",";
  }
  await write(before === "[" ? "[]\n" : "]\n");
}
