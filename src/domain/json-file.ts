/**
 * Reads a JSON file written by an operator, for a route or an intake: checks every key against its limits and reports
 * all problems at once.
 */
import { nearest } from "./nearest.ts";
import { type CodedProblem, type OperatorProblem, problemOf } from "./operator-problem.ts";

/** One problem of a file. `key` is a path such as `tls.caFile`; it is empty for the file as a whole. */
export type FileProblem = OperatorProblem;

export const required = { code: "required", values: {} } as const;

export type JsonFileResult<Options> = { options: Options } | { problems: readonly FileProblem[] };

/** Codes for texts that do not match a pattern. */
export type ShapeCode =
  | "host_name"
  | "printable_ascii"
  | "callback_secret"
  | "header_name"
  | "media_type"
  | "messaging_service"
  | "kannel_smsc";

export interface TextBounds {
  lengthMin?: number;
  lengthMax: number;
  pattern?: RegExp;
  /** The code reported if the text does not match the pattern. */
  shape?: ShapeCode;
}

export interface NumberBounds {
  min: number;
  max: number;
  /** Fractions are allowed. */
  fractions?: boolean;
}

/** Reads one object of the file key by key; `finish` then reports the keys that were not read. */
export class JsonFileReader {
  readonly #fields: Map<string, unknown>;
  readonly #known = new Set<string>();

  constructor(
    fields: object,
    readonly problems: FileProblem[],
    readonly path = "",
  ) {
    this.#fields = new Map(Object.entries(fields));
  }

  /** Reads the whole file with `read`; if the file is not an object, that is the only problem. */
  static read<Options>(file: unknown, read: (reader: JsonFileReader) => Options): JsonFileResult<Options> {
    if (!isObject(file)) return { problems: [problemOf("", "json_object", {})] };
    const reader = new JsonFileReader(file, []);
    const options = read(reader);
    reader.finish();
    return reader.problems.length > 0 ? { problems: reader.problems } : { options };
  }

  /** The raw value; null and a missing key are treated alike. */
  value(key: string): unknown {
    this.#known.add(key);
    return this.#fields.get(key) ?? undefined;
  }

  keys(): string[] {
    return [...this.#fields.keys()];
  }

  problem(key: string, wrong: CodedProblem): void {
    const path = key === "" ? this.path.slice(0, -1) : this.path + key;
    this.problems.push({ key: path, ...wrong });
  }

  text<Otherwise extends string | null>(key: string, otherwise: Otherwise, bounds: TextBounds): string | Otherwise {
    const value = this.value(key);
    if (value === undefined) return otherwise;
    const wrong = wrongText(value, bounds);
    if (wrong === null && typeof value === "string") return value;
    this.problem(key, wrong ?? notText);
    return otherwise;
  }

  requiredText(key: string, bounds: TextBounds): string {
    if (this.value(key) === undefined) this.problem(key, required);
    return this.text(key, "", { lengthMin: 1, ...bounds });
  }

  number<Otherwise extends number | null>(key: string, otherwise: Otherwise, bounds: NumberBounds): number | Otherwise {
    const value = this.value(key);
    if (value === undefined) return otherwise;
    const { min, max, fractions = false } = bounds;
    const fits = typeof value === "number" && value >= min && value <= max && (fractions || Number.isInteger(value));
    if (fits) return value;
    this.problem(key, { code: fractions ? "number" : "whole_number", values: { min, max } });
    return otherwise;
  }

  requiredNumber(key: string, bounds: NumberBounds): number {
    if (this.value(key) === undefined) this.problem(key, required);
    return this.number(key, bounds.min, bounds);
  }

  choice<Choice extends string>(key: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.value(key);
    if (value === undefined) return otherwise;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.problem(key, { code: "key_choice", values: { words: choices } });
    return chosen ?? otherwise;
  }

  flag(key: string, otherwise: boolean): boolean {
    const value = this.value(key);
    if (value === undefined) return otherwise;
    if (typeof value !== "boolean") this.problem(key, { code: "yes_or_no", values: {} });
    return value === true;
  }

  numbers(key: string, bounds: NumberBounds & { countMax: number }): number[] {
    const value = this.value(key);
    if (value === undefined) return [];
    const { min, max, countMax } = bounds;
    const inBounds = (n: unknown): n is number => typeof n === "number" && Number.isInteger(n) && n >= min && n <= max;
    if (Array.isArray(value) && value.length <= countMax && value.every(inBounds)) return value;
    this.problem(key, { code: "key_numbers", values: { countMax, min, max } });
    return [];
  }

  /** A nested object, null if there is none. */
  section<Section>(key: string, read: (section: JsonFileReader) => Section): Section | null {
    const value = this.value(key);
    return value === undefined ? null : this.object(key, value, read);
  }

  /** A value that must be an object, such as a list element; `key` names it in problems. */
  object<Section>(key: string, value: unknown, read: (section: JsonFileReader) => Section): Section | null {
    if (!isObject(value)) {
      this.problem(key, { code: "key_object", values: {} });
      return null;
    }
    const section = new JsonFileReader(value, this.problems, `${this.path}${key}.`);
    const result = read(section);
    section.finish();
    return result;
  }

  /** Reports every key that was not read, with the known key that was probably meant. */
  finish(): void {
    for (const key of this.#fields.keys()) {
      if (this.#known.has(key)) continue;
      this.problem(key, { code: "unknown_key", values: { meant: nearestOf(key, this.#known) } });
    }
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const notText = { code: "key_text", values: {} } as const;

function wrongText(value: unknown, bounds: TextBounds): CodedProblem | null {
  if (typeof value !== "string") return notText;
  const { lengthMin = 0, lengthMax, pattern, shape } = bounds;
  if (value.length < lengthMin || value.length > lengthMax) {
    return { code: "key_length", values: { min: lengthMin, max: lengthMax } };
  }
  if (pattern === undefined || pattern.test(value)) return null;
  return shape === undefined
    ? { code: "key_pattern", values: { pattern: String(pattern) } }
    : { code: shape, values: {} };
}

/** Longer words are not typing errors. */
const mistypedLengthMax = 64;

/** The known word that a mistyped one probably stands for. */
export function nearestOf(word: string, known: Iterable<string>): string | null {
  return word.length > mistypedLengthMax ? null : nearest(word, known, 1 / 3);
}
