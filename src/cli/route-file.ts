/** Reads a route's file and replaces the secret files that it names with their content. */
import { dirname, resolve } from "node:path";
import { type ParseError, parse as parseTolerant, printParseErrorCode } from "jsonc-parser";
import { errorMessage } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { readText, readTextOrInput } from "./text-file.ts";

/** `passwordFile`, `tokenFile`, `callbackKeyFile`: the server stores the content, encrypted. */
const secretFileKey = /^(.*(?:password|token|secret|key))File$/i;

/** `path` may be `-`. Paths in the file are relative to the file; `-` in it means standard input. */
export async function readRouteFile(io: CliIo, path: string): Promise<Record<string, unknown>> {
  const content = await readTextOrInput(io, path);
  const file = parse(content, path);
  const folder = path === "-" ? "." : dirname(path);
  const written = Object.entries(file).filter(([key]) => key !== "$schema");
  const entries = written.map(async ([key, value]): Promise<[string, unknown]> => {
    const secretKey = secretFileKey.exec(key)?.[1];
    if (secretKey === undefined || typeof value !== "string") return [key, value];
    const secret = value === "-" && path !== "-" ? await io.readStdin() : readText(io, resolve(folder, value));
    return [secretKey, secret.replace(/\r?\n$/, "")];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function parse(content: string, path: string): object {
  let file: unknown;
  try {
    file = JSON.parse(content);
  } catch (error) {
    const cause = firstMistake(content) ?? errorMessage(error);
    throw new CommandFailed("file_invalid", `${path} is no JSON: ${cause}`);
  }
  if (typeof file === "object" && file !== null && !Array.isArray(file)) return file;
  throw new CommandFailed("file_invalid", `${path} must hold a JSON object.`);
}

/** `line 3, column 5: colon expected`. This runtime's JSON.parse does not report the position. */
function firstMistake(content: string): string | null {
  const mistakes: ParseError[] = [];
  parseTolerant(content, mistakes, { disallowComments: true, allowTrailingComma: false });
  const [first] = mistakes;
  if (first === undefined) return null;
  const lines = content.slice(0, first.offset).split("\n");
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: ${words.toLowerCase()}`;
}
