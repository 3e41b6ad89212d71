/** Sends a CSV file of numbers to the suppression list, as it is read. */
import { basename } from "node:path";
import { counted } from "../domain/counted.ts";
import { fileFailure } from "../platform/error-code.ts";
import { answerLines } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import { layoutInput, type MemberImportInput, runImport } from "./group-import.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { type CommonOptions, socketOf } from "./verb.ts";

export type NumbersImportInput = Omit<MemberImportInput, "code">;

export interface NumbersImportResult {
  added: number;
  /** On the list before, or twice in the file. */
  known: number;
  ignoredColumns: readonly string[];
}

/** What a line has at least, for the progress: a number and its line feed. */
const lineBytes = 12;

/** @throws CommandFailed with every wrong line; nothing was imported then. */
export async function importNumbersFile(
  io: CliIo,
  options: CommonOptions,
  input: NumbersImportInput,
): Promise<NumbersImportResult> {
  const { csv } = input;
  const asked = { ...layoutInput(input), name: csv === "-" ? "" : basename(csv).slice(0, 120) };
  const body = csv === "-" ? await io.readStdin() : await readable(csv);
  const lines = Math.ceil((typeof body === "string" ? body.length : body.size) / lineBytes);
  const answer = answerLines(socketOf(io, options), "POST /suppressions/import", asked, body);
  const end = await runImport(io, answer, { csv, lines });
  return { added: end.members, known: end.merged, ignoredColumns: end.ignoredColumns };
}

/** Its name is told here: fetch would only say that it failed. */
async function readable(path: string): Promise<Bun.BunFile> {
  try {
    const file = Bun.file(path);
    await file.slice(0, 1).bytes();
    return file;
  } catch (reason) {
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
  }
}

export function numbersImportedText({ added, known, ignoredColumns }: NumbersImportResult): string {
  const lines = [`${counted(added, "number")} added, ${known} known before.`];
  if (ignoredColumns.length > 0) lines.push(`Ignored columns: ${ignoredColumns.join(", ")}`);
  return joinLines(lines);
}
