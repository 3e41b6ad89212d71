/** A list of members on its way to the appliance: its progress is drawn, and every line that is wrong is named. */
import type { ImportLine } from "../operator/group-import.ts";
import { commandFailure, type SocketLocation, socketFetch } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { type CommonOptions, socketOf } from "./verb.ts";

export interface MemberImportInput {
  code: string;
  account: string | undefined;
  /** A path, or `-`. */
  csv: string;
}

export interface Imported {
  code: string;
  members: number;
  merged: number;
  ignoredColumns: readonly string[];
  repeated: readonly { line: number; firstLine: number; recipient: string }[];
}

const barWidth = 30;
const repeatsShown = 20;

/** Throws CommandFailed with every bad line; nothing has changed then. */
export async function importFile(io: CliIo, options: CommonOptions, wish: MemberImportInput): Promise<Imported> {
  const file = await readFile(io, wish.csv);
  const draw = progressBar(io, countLines(file));
  const repeated: Imported["repeated"][number][] = [];
  const problems: { key: string; message: string }[] = [];
  for await (const told of send(socketOf(io, options), wish, file)) {
    if (told.kind === "progress") draw(told.lines);
    else if (told.kind === "repeated") repeated.push(told);
    else if (told.kind === "problem") problems.push({ key: `line ${told.line}`, message: told.message });
    else {
      draw(null);
      if (told.kind === "refused") throw new CommandFailed(told.code, told.message);
      if (told.kind === "wrong") throw wrongFile(wish.csv, problems);
      const { members, merged, ignoredColumns } = told;
      const repeats = repeated.map(({ line, firstLine, recipient }) => ({ line, firstLine, recipient }));
      return { code: wish.code, members, merged, ignoredColumns, repeated: repeats };
    }
  }
  throw new CommandFailed("no_answer", "The appliance broke off; nothing was imported. Its log says more.");
}

function wrongFile(path: string, problems: readonly { key: string; message: string }[]): CommandFailed {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const words = [
    `${path} has ${count}, and nothing was imported:`,
    ...problems.map(({ key, message }) => `${key}: ${message}`),
  ];
  return new CommandFailed("members_invalid", words.join("\n"), problems);
}

/** Bytes, not text: whether they are UTF-8 is for the appliance to judge. */
async function readFile(io: CliIo, path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path === "-") return new TextEncoder().encode(await io.readStdin());
  try {
    return await Bun.file(path).bytes();
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${why}`);
  }
}

const lineFeed = 0x0a;

function countLines(file: Uint8Array): number {
  let count = 0;
  for (let at = file.indexOf(lineFeed); at !== -1; at = file.indexOf(lineFeed, at + 1)) count += 1;
  return Math.max(count, 1);
}

/** What the appliance tells, line by line, as it comes. */
async function* send(
  place: SocketLocation,
  { code, account }: MemberImportInput,
  file: Uint8Array<ArrayBuffer>,
): AsyncGenerator<ImportLine> {
  const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
  const response = await socketFetch(place)(`http://localhost/groups/${encodeURIComponent(code)}/import${query}`, {
    method: "POST",
    headers: { "Content-Type": "text/csv" },
    body: file,
  });
  if (!response.ok || response.body === null) throw commandFailure(await response.json(), response.status);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) yield JSON.parse(text);
  }
}

/** Draws how far the import is, where somebody watches; null ends it. */
function progressBar(io: CliIo, total: number): (lines: number | null) => void {
  if (io.errIsTerminal !== true) return () => {};
  return (done) => {
    if (done === null) return io.err("\r\u001b[K");
    const share = Math.min(done / total, 1);
    const bar = "█".repeat(Math.round(share * barWidth)).padEnd(barWidth, "░");
    io.err(`\r${bar} ${Math.round(share * 100)} %  ${done} of ${total} lines`);
  };
}

export function importedText({ code, members, merged, ignoredColumns, repeated }: Imported): string {
  const told = [`${members} members are in the draft of ${code}.`];
  if (merged > 0) told.push(`${merged} lines repeated a number and were merged into its first line:`);
  for (const { line, firstLine, recipient } of repeated.slice(0, repeatsShown)) {
    told.push(`  line ${line} repeats line ${firstLine} (${recipient})`);
  }
  if (repeated.length > repeatsShown) told.push(`  and ${repeated.length - repeatsShown} more; --json lists them all`);
  if (ignoredColumns.length > 0) told.push(`Ignored columns: ${ignoredColumns.join(", ")}`);
  return joinLines([...told, `Approve it: peyk group approve ${code}`]);
}
