/**
 * Reads Kannel's configuration the way Kannel does: groups of variables separated by blank lines, and included files.
 */
import { dirname, isAbsolute, join } from "node:path";

/** A variable, and the line it is on. */
export interface KannelVariable {
  key: string;
  value: string;
  file: string;
  line: number;
}

export interface KannelGroup {
  name: string;
  file: string;
  line: number;
  variables: KannelVariable[];
}

/** Lines that cannot be read, or are in a place that Kannel ignores. */
export interface KannelRemark {
  file: string;
  line: number;
  key: string;
  words: string;
}

export interface KannelConfig {
  groups: KannelGroup[];
  remarks: KannelRemark[];
}

export interface KannelFiles {
  /** Null if there is none. */
  read(path: string): string | null;
  /** Null if it is not a folder. */
  list(path: string): readonly string[] | null;
}

/** The routing plan made from the prefixes. */
export const importedPlan = "kannel";

const includesMax = 20;
const linesMax = 100_000;

export function readKannelConfig(path: string, files: KannelFiles): KannelConfig {
  const reader = new ConfigReader(files);
  reader.include(path, []);
  return { groups: reader.groups, remarks: reader.remarks };
}

class ConfigReader {
  readonly groups: KannelGroup[] = [];
  readonly remarks: KannelRemark[] = [];
  #open: KannelGroup | null = null;
  #lines = 0;

  constructor(private readonly files: KannelFiles) {}

  /** `within`: the chain of including files. */
  include(path: string, within: readonly string[], from?: KannelVariable): void {
    const place = from ?? { file: path, line: 0, key: "include" };
    const refuse = (words: string) => this.remarks.push({ file: place.file, line: place.line, key: place.key, words });
    if (within.includes(path)) return void refuse(`${path} includes itself`);
    if (within.length >= includesMax) return void refuse(`files include each other more than ${includesMax} deep`);
    const names = this.files.list(path);
    if (names !== null) {
      for (const name of [...names].sort()) this.include(join(path, name), [...within, path], from);
      return;
    }
    const content = this.files.read(path);
    if (content === null) return void refuse(`there is no file ${path}`);
    this.#readLines(path, content, [...within, path]);
  }

  #readLines(file: string, content: string, within: readonly string[]): void {
    const lines = content.replace(/^\ufeff/, "").split("\n");
    for (let index = 0; index < lines.length; index += 1) {
      this.#lines += 1;
      if (this.#lines > linesMax) return;
      const line = index + 1;
      let text = lines[index]?.trim() ?? "";
      while (text.endsWith("\\") && index + 1 < lines.length) {
        index += 1;
        text = text.slice(0, -1) + (lines[index]?.trim() ?? "");
      }
      this.#readLine(file, line, text, within);
    }
    this.#open = null;
  }

  #readLine(file: string, line: number, text: string, within: readonly string[]): void {
    if (text === "") this.#open = null;
    if (text === "" || text.startsWith("#")) return;
    const equals = text.indexOf("=");
    if (equals < 1)
      return void this.remarks.push({
        file,
        line,
        key: text.slice(0, 40),
        words: "is no line of the form name = value",
      });
    const variable = { key: text.slice(0, equals).trim(), value: unquoted(text.slice(equals + 1).trim()), file, line };
    if (variable.key === "include") this.include(besideFile(file, variable.value), within, variable);
    else if (variable.key === "group") {
      this.#open = { name: variable.value, file, line, variables: [] };
      this.groups.push(this.#open);
    } else if (this.#open !== null) this.#open.variables.push(variable);
    else
      this.remarks.push({ file, line, key: variable.key, words: "stands outside of a group: a blank line ends one" });
  }
}

/** The text between quotes, after which the rest is ignored; or the whole rest of the line. */
function unquoted(written: string): string {
  if (!written.startsWith('"')) return written;
  let value = "";
  for (let at = 1; at < written.length; at += 1) {
    const letter = written[at] ?? "";
    if (letter === '"') return value;
    if (letter === "\\") {
      at += 1;
      value += written[at] ?? "";
    } else value += letter;
  }
  return value;
}

const besideFile = (file: string, named: string): string => (isAbsolute(named) ? named : join(dirname(file), named));

/** One group's variables by name; at the end it knows which of them were looked at. */
export class GroupVariables {
  readonly group: KannelGroup;
  readonly #taken = new Set<string>();

  constructor(group: KannelGroup) {
    this.group = group;
  }

  /** The last one of this name, as in Kannel; null if there is none or it is empty. */
  text(key: string): string | null {
    this.#taken.add(key);
    const value = this.group.variables.findLast((one) => one.key === key)?.value ?? "";
    return value === "" ? null : value;
  }

  number(key: string): number | null {
    const text = this.text(key);
    const value =
      text === null || !/^(0x[0-9a-f]{1,8}|[0-9]{1,9}(\.[0-9]{1,3})?)$/i.test(text) ? Number.NaN : Number(text);
    return Number.isNaN(value) ? null : value;
  }

  /** `true`, `yes`, `on` and every number except 0. */
  flag(key: string): boolean {
    const text = this.text(key)?.toLowerCase() ?? "false";
    return !["false", "no", "off", "0"].includes(text);
  }

  /** Separated by semicolons, as in `"040;050"`. */
  list(key: string): string[] {
    return (this.text(key) ?? "")
      .split(/[;,]/)
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }

  line(key: string): number {
    return this.group.variables.findLast((one) => one.key === key)?.line ?? this.group.line;
  }

  /** Variables that nobody has looked at. */
  left(): KannelVariable[] {
    return this.group.variables.filter(({ key }) => !this.#taken.has(key));
  }
}
