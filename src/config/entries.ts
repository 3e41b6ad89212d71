/** The registry as a flat list: each setting with its names, and the origin of its value. */

import { registry } from "./registry.ts";
import { Setting } from "./setting-types.ts";

/** A setting with all its names. */
export interface SettingEntry {
  /** The key in the file, dotted: `http.requests_per_minute`. */
  key: string;
  /** `PEYK_HTTP_REQUESTS_PER_MINUTE`. */
  environment: string;
  /** The path of the value in `Settings`: `["http", "requestsPerMinute"]`. */
  path: readonly string[];
  setting: Setting<unknown>;
}

/** Where a value came from. `line` is null if it could not be found in the file. */
export type Origin =
  | { source: "flag"; name: string }
  | { source: "environment"; name: string }
  | { source: "file"; file: string; line: number | null }
  | { source: "default" };

export interface SettingProblem {
  /** Dotted key, or the file's path if the file as a whole is at fault. */
  key: string;
  /** A complete sentence for a person. */
  message: string;
  origin: Origin;
}

export interface SettingSources {
  /** Dotted keys as in the file: `{ data_dir: "/srv/peyk" }`. An undefined value was not given. */
  flags: Readonly<Record<string, string | undefined>>;
  env: Readonly<Record<string, string | undefined>>;
  /** The content of the file, or null if there is none. Other failures throw. */
  readFile(path: string): string | null;
  /** `--config FILE`. Without it PEYK_CONFIG, then `<data-dir>/peyk.toml`, then `/etc/peyk/peyk.toml`, are tried. */
  configFile?: string | undefined;
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function entriesOf(tree: object, parents: readonly string[]): SettingEntry[] {
  return Object.entries(tree).flatMap(([name, node]: [string, unknown]) => {
    const path = [...parents, name];
    if (node instanceof Setting) {
      const key = path.map(snakeCase).join(".");
      return [{ key, environment: `PEYK_${key.replaceAll(".", "_").toUpperCase()}`, path, setting: node }];
    }
    return typeof node === "object" && node !== null ? entriesOf(node, path) : [];
  });
}

/** Every setting, in registry order. */
export const settingEntries: readonly SettingEntry[] = entriesOf(registry, []);

/** A source as a person would name it: `flag --listen`, `environment PEYK_LISTEN`, `peyk.toml line 3`, `default`. */
export function originText(origin: Origin): string {
  if (origin.source === "default") return "default";
  if (origin.source === "file") return origin.line === null ? origin.file : `${origin.file} line ${origin.line}`;
  return `${origin.source} ${origin.name}`;
}
