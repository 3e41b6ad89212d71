/** Reads a text file that an argument names. */
import { fileFailure } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";

/** `-` is standard input. */
export async function readTextOrInput(io: CliIo, path: string): Promise<string> {
  return path === "-" ? await io.readStdin() : readText(io, path);
}

/** @throws CommandFailed */
export function readText(io: CliIo, path: string): string {
  let content: string | null;
  try {
    content = io.readFile(path);
  } catch (error) {
    throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(error)}.`);
  }
  if (content === null) throw new CommandFailed("file_unreadable", `There is no file ${path}.`);
  return content;
}
