/** Sends a CSV file of members or numbers to the server, draws the progress, and lists every wrong line. */
import { counted } from "../domain/counted.ts";
import type { ImportLine, ImportPreviewAnswer } from "../operator/group-import.ts";
import { fileFailure } from "../platform/error-code.ts";
import { answerLines, streamed } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines } from "./text.ts";
import { type CommonOptions, socketOf } from "./verb.ts";

export interface MemberImportInput {
  code: string;
  account: string | undefined;
  /** A path, or `-`. */
  csv: string;
  /** What each column is; omitted where the file's header says so. */
  columns: string | undefined;
  /** Whether the first line holds the column names. */
  header: boolean;
}

export interface MemberImportResult {
  code: string;
  members: number;
  merged: number;
  ignoredColumns: readonly string[];
  repeated: readonly Omit<Extract<ImportLine, { kind: "repeated" }>, "kind">[];
}

const barWidth = 30;
const repeatsShown = 20;

/** @throws CommandFailed with every wrong line; in that case nothing was imported. */
export async function importFile(
  io: CliIo,
  options: CommonOptions,
  input: MemberImportInput,
): Promise<MemberImportResult> {
  const file = await readFile(io, input.csv);
  const repeated: MemberImportResult["repeated"][number][] = [];
  const answer = answerLines(
    socketOf(io, options),
    "POST /groups/:code/import",
    { code: input.code, ...layoutInput(input) },
    file,
  );
  const end = await runImport(io, answer, {
    csv: input.csv,
    lines: countLines(file),
    repeated: ({ line, firstLine, recipient }) => repeated.push({ line, firstLine, recipient }),
  });
  const { members, merged, ignoredColumns } = end;
  return { code: input.code, members, merged, ignoredColumns, repeated };
}

/** Which account and group, and how the columns are read. */
export function layoutInput({ account, columns, header }: Omit<MemberImportInput, "code">) {
  const isRead = header ? ("yes" as const) : ("no" as const);
  return { account, columns, header: columns === undefined ? undefined : isRead };
}

/** What an import would find; nothing is imported. */
export async function previewFile(
  io: CliIo,
  options: CommonOptions,
  input: MemberImportInput,
): Promise<ImportPreviewAnswer> {
  const body = await readFile(io, input.csv);
  const answer = await streamed(socketOf(io, options), "POST /groups/preview", layoutInput(input), body);
  return new Response(answer).json();
}

export function previewText({ columns, header, sample, ...found }: ImportPreviewAnswer): string {
  const { members, membersMax, repeated, problemCount, problems } = found;
  const rows = (header ? sample.slice(1) : sample).map((cells) => columns.map((_, at) => cells[at] ?? ""));
  const wrong = problems.map(({ line, message }) => `line ${line}: ${message}`);
  const more = problemCount - problems.length;
  const said = joinLines([
    `${counted(members, "number")}, ${counted(repeated, "line")} repeated, ${problemCount} wrong. Nothing was imported.`,
    ...(members > membersMax ? [`A group has at most ${membersMax} members: this file is too long for one.`] : []),
    ...wrong,
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
  return `${formatTable(columns, rows)}\n${said}`;
}

export interface ImportCall {
  /** The file's name, for messages. */
  csv: string;
  /** The number of lines in the file, as far as it is known. */
  lines: number;
  repeated?(event: Extract<ImportLine, { kind: "repeated" }>): void;
}

/** @throws CommandFailed with every wrong line; in that case nothing was imported. */
export async function runImport(
  io: CliIo,
  answer: AsyncIterable<ImportLine>,
  { csv, lines, repeated }: ImportCall,
): Promise<Extract<ImportLine, { kind: "done" }>> {
  const draw = progressBar(io, lines);
  const problems: { key: string; message: string }[] = [];
  for await (const event of answer) {
    if (event.kind === "progress") draw(event.lines);
    else if (event.kind === "repeated") repeated?.(event);
    else if (event.kind === "problem") problems.push({ key: `line ${event.line}`, message: event.message });
    else {
      draw(null);
      if (event.kind === "refused") throw new CommandFailed(event.code, event.message);
      if (event.kind === "wrong") throw wrongFile(csv, problems);
      return event;
    }
  }
  throw new CommandFailed(
    "no_answer",
    "The service closed the connection before the import ended. Run it again; its log says more.",
  );
}

function wrongFile(path: string, problems: readonly { key: string; message: string }[]): CommandFailed {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const words = [
    `${path} has ${count}, and nothing was imported:`,
    ...problems.map(({ key, message }) => `${key}: ${message}`),
  ];
  return new CommandFailed("members_invalid", words.join("\n"), problems);
}

/**
 * Bytes, not text: the server checks for valid UTF-8. All of them before the request, which root makes as the service's
 * user: what only root may read has been read by then, and a pipe can be read once.
 */
export async function readFile(io: CliIo, path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path === "-") return new TextEncoder().encode(await io.readStdin());
  try {
    return await Bun.file(path).bytes();
  } catch (reason) {
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
  }
}

const lineFeed = 0x0a;

function countLines(file: Uint8Array): number {
  let count = 0;
  for (let at = file.indexOf(lineFeed); at !== -1; at = file.indexOf(lineFeed, at + 1)) count += 1;
  return Math.max(count, 1);
}

/** Draws the progress if stderr is a terminal; null ends the line. */
export function progressBar(io: CliIo, total: number, of = "lines"): (lines: number | null) => void {
  if (io.errIsTerminal !== true) return () => {};
  return (done) => {
    if (done === null) return io.err("\r\u001b[K");
    const share = Math.min(done / total, 1);
    const bar = "█".repeat(Math.round(share * barWidth)).padEnd(barWidth, "░");
    io.err(`\r${bar} ${Math.round(share * 100)} %  ${done} of ${total} ${of}`);
  };
}

export function importedText({ code, members, merged, ignoredColumns, repeated }: MemberImportResult): string {
  const lines = [`${counted(members, "member")} ${members === 1 ? "is" : "are"} in the draft of ${code}.`];
  if (merged > 0)
    lines.push(
      `${counted(merged, "line")} repeated a number and ${merged === 1 ? "was" : "were"} merged into its first line:`,
    );
  for (const { line, firstLine, recipient } of repeated.slice(0, repeatsShown)) {
    lines.push(`  line ${line} repeats line ${firstLine} (${recipient})`);
  }
  if (repeated.length > repeatsShown) lines.push(`  and ${repeated.length - repeatsShown} more; --json lists them all`);
  if (ignoredColumns.length > 0) lines.push(`Ignored columns: ${ignoredColumns.join(", ")}`);
  return joinLines([...lines, `Approve it: peyk group approve ${code}`]);
}
