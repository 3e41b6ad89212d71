/** Finds and parses the settings file (TOML), and flattens it to dotted keys with their line numbers. */
import { join } from "node:path";
import { parse, TomlDate, TomlError } from "smol-toml";
import { nearest } from "../domain/nearest.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { type Origin, type SettingProblem, type SettingSources, settingEntries } from "./entries.ts";

export interface ConfigFile {
  /** The file that was read, or null if there is none. */
  path: string | null;
  values: ReadonlyMap<string, { value: unknown; origin: Origin }>;
  problems: readonly SettingProblem[];
}

export function readConfigFile(sources: SettingSources): ConfigFile {
  const named = sources.configFile ?? (sources.env.PEYK_CONFIG || undefined);
  const dataDir = sources.flags.data_dir ?? (sources.env.PEYK_DATA_DIR || "./data");
  const candidates = named === undefined ? [join(dataDir, "peyk.toml"), "/etc/peyk/peyk.toml"] : [named];
  for (const path of candidates) {
    try {
      const content = sources.readFile(path);
      if (content !== null) return parseConfigFile(path, content);
    } catch (error) {
      return failed(path, null, unreadable(path, error));
    }
  }
  if (named !== undefined) return failed(named, null, `There is no settings file ${named}.`);
  return { path: null, values: new Map(), problems: [] };
}

/** The likeliest cause has its own message: only the service's user may be able to read the file. */
function unreadable(path: string, error: unknown): string {
  if (errorCode(error) === "EACCES") return `You may not read ${path}. Run this as its owner, or as root.`;
  return `${path} cannot be read: ${fileFailure(error)}.`;
}

/** Unknown keys are reported with the nearest known one. */
export function parseConfigFile(path: string, content: string): ConfigFile {
  let root: Record<string, unknown>;
  try {
    root = parse(content);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.replace("Invalid TOML document: ", "").split("\n");
    return failed(path, error.line, `${path} line ${error.line}, column ${error.column}: this is no TOML: ${reason}.`);
  }
  const values = new Map<string, { value: unknown; origin: Origin }>();
  const problems: SettingProblem[] = [];
  const known = settingEntries.map((entry) => entry.key);
  for (const [key, value] of flatten(root, "")) {
    const origin: Origin = { source: "file", file: path, line: lineOfKey(content, key) };
    if (known.includes(key)) values.set(key, { value, origin });
    else problems.push(unknownKey(key, known, path, origin.line));
  }
  return { path, values, problems };
}

function unknownKey(key: string, known: readonly string[], file: string, line: number | null): SettingProblem {
  const close = nearest(key, known);
  const place = line === null ? file : `${file} line ${line}`;
  const message = `${place}: there is no setting ${key}.${close === null ? "" : ` Did you mean ${close}?`}`;
  return { key, message, origin: { source: "file", file, line } };
}

function failed(path: string, line: number | null, message: string): ConfigFile {
  return { path, values: new Map(), problems: [{ key: path, message, origin: { source: "file", file: path, line } }] };
}

/** Tables become dotted prefixes; an empty table gives nothing. Arrays stay whole. */
function flatten(table: object, prefix: string): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    const nested = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
    return nested ? flatten(value, `${prefix}${name}.`) : [[prefix + name, value]];
  });
}

/**
 * The line, counted from 1, that sets a dotted key, or null. The parser gives no positions, so this searches for
 * headers and `key =` itself; a key inside an inline table is found at the table's own line.
 */
export function lineOfKey(content: string, key: string): number | null {
  const bare = (text: string) => text.replaceAll(/["'\s]/g, "");
  let section = "";
  let inlineTable: number | null = null;
  for (const [index, line] of content.split("\n").entries()) {
    const header = /^\[+([^[\]]+)\]/.exec(line.trim())?.[1];
    if (header !== undefined) section = `${bare(header)}.`;
    const [name = "", ...value] = line.split("=");
    if (value.length === 0 || !/^[A-Za-z0-9_."'\s-]+$/.test(name)) continue;
    const found = section + bare(name);
    if (found === key) return index + 1;
    if (key.startsWith(`${found}.`)) inlineTable ??= index + 1;
  }
  return inlineTable;
}
