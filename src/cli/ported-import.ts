/** Builds a table of ported numbers from a CSV file, in this process: the service only takes what is complete. */
import { closeSync, fstatSync } from "node:fs";
import { freeBytes } from "../platform/disk-space.ts";
import { openRegularFile } from "../platform/durable-file.ts";
import { fileFailure, isSystemError } from "../platform/error-code.ts";
import { type BuiltTable, PortedBuilder, PortedBuilderBusy } from "../store/ported-builder.ts";
import { CommandFailed } from "./errors.ts";
import { progressBar } from "./group-import.ts";
import type { CliIo } from "./io.ts";
import { type LineProblem, type PortedReading, readPorted } from "./ported-csv.ts";

export interface OpenCsv {
  path: string;
  descriptor: number;
}

/** What a line takes, sorted and merged, is less than the line. */
const spareBytes = 256 * 1024 * 1024;

/** Before root becomes the service's user: the file may be root's. @throws CommandFailed */
export function openCsv(path: string): OpenCsv {
  try {
    return { path, descriptor: openRegularFile(path) };
  } catch (reason) {
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}. It must be a file.`);
  }
}

/**
 * `use` takes the table into use while no other import can begin. @throws CommandFailed with every wrong line, and nothing
 * was changed
 */
export async function buildTable<Answer>(
  io: CliIo,
  csv: OpenCsv,
  { folder, networks }: { folder: string; networks: readonly string[] },
  use: (built: BuiltTable) => Promise<Answer>,
): Promise<Answer> {
  try {
    refuseWithoutRoom(csv, folder);
    const builder = new PortedBuilder(folder);
    try {
      return await use(built(io, csv, builder, networks));
    } finally {
      builder.close();
    }
  } catch (reason) {
    if (reason instanceof PortedBuilderBusy) throw new CommandFailed("import_busy", `${reason.message}.`);
    if (isSystemError(reason)) throw new CommandFailed("not_imported", `${folder}: ${fileFailure(reason)}.`);
    throw reason;
  } finally {
    closeSync(csv.descriptor);
  }
}

function refuseWithoutRoom({ descriptor }: OpenCsv, folder: string): void {
  const wanted = fstatSync(descriptor).size + spareBytes;
  const free = freeBytes(folder);
  const mib = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  if (free < wanted)
    throw new CommandFailed("no_room", `${folder} has ${mib(free)} MB free, and the import needs ${mib(wanted)} MB.`);
}

function built(io: CliIo, { path, descriptor }: OpenCsv, builder: PortedBuilder, networks: readonly string[]) {
  const draw = progressBar(io, fstatSync(descriptor).size, "bytes");
  const places = new Map(networks.map((name, place) => [name.toLowerCase(), place]));
  const read = (take: PortedReading["take"]) => {
    const problems = readPorted(descriptor, { places, take, progress: draw });
    draw(null);
    if (problems.length > 0) throw wrongFile(path, problems);
  };
  read((number, place) => {
    builder.add(number, place);
    return undefined;
  });
  const table = builder.finish(networks);
  if ("sum" in table) return table;
  // The runs know no lines, so the file is read again for those of the numbers in question.
  const seen = new Map<number, { line: number; place: number }>();
  read((number, place, line) => {
    if (!table.conflicts.has(number)) return undefined;
    const first = seen.get(number);
    if (first === undefined) seen.set(number, { line, place });
    if (first === undefined || first.place === place) return undefined;
    return `+${number} has moved to ${networks[place]}, and on line ${first.line} to ${networks[first.place]}`;
  });
  throw new CommandFailed("ported_invalid", `${path} changed while it was read. Import it again.`);
}

function wrongFile(path: string, problems: readonly LineProblem[]): CommandFailed {
  const lines = problems.map(({ line, message }) => ({ key: `line ${line}`, message }));
  return new CommandFailed(
    "ported_invalid",
    [
      `${path} has ${lines.length === 1 ? "a wrong line" : "wrong lines"}, and nothing was imported:`,
      ...lines.map(({ key, message }) => `${key}: ${message}`),
    ].join("\n"),
    lines,
  );
}
