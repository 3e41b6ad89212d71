/** Parses the texts in an intake's file: placeholders, joined lists, cuts. */
import type { JsonFileReader } from "../json-file.ts";
import { parseTemplate } from "../template.ts";
import {
  type IntakeChoice,
  type IntakeJoin,
  type IntakePath,
  type IntakeText,
  type IntakeValue,
  intakeLimits,
} from "./intake-template.ts";

export const noText: IntakeText = { kind: "text", pieces: [], cutAt: null };

const pathLetters = /^[^\s{}|'"]+$/;
const scopes = { $query: "query", $header: "header" } as const;

/** Null if it is not a path. `.`: the current element itself. */
export function parseIntakePath(written: string): IntakePath | null {
  if (written.length > intakeLimits.pathCharactersMax || !pathLetters.test(written)) return null;
  if (written === ".") return { scope: "here", path: "" };
  const [first = "", ...steps] = written.split(".");
  if (steps.includes("") || first === "") return null;
  if (!first.startsWith("$")) return { scope: "here", path: written };
  const path = steps.join(".");
  if (first === "$") return { scope: "body", path };
  if (first !== "$query" && first !== "$header") return null;
  return path === "" ? null : { scope: scopes[first], path };
}

export function readIntakePath(reader: JsonFileReader, key: string): IntakePath {
  const written = reader.requiredText(key, { lengthMax: intakeLimits.pathCharactersMax });
  const path = parseIntakePath(written);
  if (path !== null) return path;
  if (written !== "") reader.problem(key, { code: "value_path", values: { path: written } });
  return { scope: "here", path: "" };
}

/** One path or a list of them. */
export function readIntakePaths(reader: JsonFileReader, key: string, countMax: number): IntakePath[] {
  const value = reader.value(key);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > countMax) reader.problem(key, { code: "list", values: { min: 1, max: countMax } });
  return list.slice(0, countMax).flatMap((written) => {
    const path = typeof written === "string" ? parseIntakePath(written) : null;
    if (path !== null) return [path];
    reader.problem(key, { code: "value_path", values: { path: String(written).slice(0, 60) } });
    return [];
  });
}

/** `a|b|'none'`. Null if one of the alternatives is invalid. */
function parseChoice(written: string): IntakeChoice | null {
  const parts = alternativesOf(written);
  if (parts.length > intakeLimits.alternativesMax) return null;
  const choice = parts.map((part) => {
    const trimmed = part.trim();
    const isLiteral = trimmed.length >= 2 && trimmed.startsWith("'") && trimmed.endsWith("'");
    if (!isLiteral) return parseIntakePath(trimmed);
    const literal = trimmed.slice(1, -1);
    return literal.includes("'") ? null : literal;
  });
  const known = choice.filter((one) => one !== null);
  return known.length === choice.length ? known : null;
}

/** Separated by bars outside quotes. */
function alternativesOf(written: string): string[] {
  const parts: string[] = [];
  let [from, isQuoted] = [0, false];
  for (let at = 0; at < written.length; at += 1) {
    if (written[at] === "'") isQuoted = !isQuoted;
    if (written[at] !== "|" || isQuoted) continue;
    parts.push(written.slice(from, at));
    from = at + 1;
  }
  return [...parts, written.slice(from)];
}

/** `cutAt`: see IntakeText. */
export function readIntakeText(
  reader: JsonFileReader,
  key: string,
  written: string,
  cutAt: number | null = null,
): IntakeText {
  const { textCharactersMax, piecesMax } = intakeLimits;
  if (written.length > textCharactersMax) {
    reader.problem(key, { code: "key_length", values: { min: 0, max: textCharactersMax } });
    return noText;
  }
  const { segments } = parseTemplate(written);
  if (segments.length > piecesMax) {
    reader.problem(key, { code: "entries_max", values: { max: piecesMax, what: "fields" } });
    return noText;
  }
  const pieces = segments.flatMap((segment): IntakeText["pieces"] => {
    if (typeof segment === "string") return [segment];
    const choice = parseChoice(segment.variable);
    if (choice !== null) return [{ choice, written: segment.variable }];
    reader.problem(key, { code: "value_path", values: { path: segment.variable.slice(0, 60) } });
    return [];
  });
  return { kind: "text", pieces, cutAt };
}

/** `"text"`, `{"text": …, "cut": 300}` whose text may be a list, or `{"join": "alerts", "text": …, "with": ", "}`. */
export function readIntakeValue(reader: JsonFileReader, key: string): IntakeValue {
  return readNested(reader, key, reader.value(key), intakeLimits.nestingMax);
}

function readNested(reader: JsonFileReader, key: string, value: unknown, depth: number): IntakeValue {
  if (typeof value === "string") return readIntakeText(reader, key, value);
  if (depth === 0) {
    reader.problem(key, { code: "nested_too_deep", values: { max: intakeLimits.nestingMax } });
    return noText;
  }
  if (Array.isArray(value)) return readTexts(reader, key, value, depth, null);
  return reader.object(key, value, (section) => readObject(section, depth)) ?? noText;
}

function readObject(section: JsonFileReader, depth: number): IntakeValue {
  const cutAt = section.number("cut", null, { min: 1, max: intakeLimits.textCharactersMax });
  const text = section.value("text");
  if (section.value("join") !== undefined) return readJoin(section, depth, cutAt);
  if (typeof text === "string") return readIntakeText(section, "text", text, cutAt);
  if (Array.isArray(text)) return readTexts(section, "text", text, depth, cutAt);
  section.problem("text", { code: "one_of_forms", values: { forms: ['"text"', '["text", …]', '{"join", "text"}'] } });
  return noText;
}

function readTexts(
  reader: JsonFileReader,
  key: string,
  list: readonly unknown[],
  depth: number,
  cutAt: number | null,
): IntakeValue {
  const { textsMax } = intakeLimits;
  if (list.length > textsMax) reader.problem(key, { code: "list", values: { min: 1, max: textsMax } });
  const texts = list.slice(0, textsMax).map((one, index) => readNested(reader, `${key}[${index}]`, one, depth - 1));
  return { kind: "texts", texts, cutAt };
}

function readJoin(section: JsonFileReader, depth: number, cutAt: number | null): IntakeJoin {
  return {
    kind: "join",
    list: readIntakePath(section, "join"),
    text: readNested(section, "text", section.value("text") ?? "{{.}}", depth - 1),
    separator: section.text("with", ", ", { lengthMax: 50 }),
    countMax: section.number("max", 10, { min: 1, max: intakeLimits.joinedMax }),
    cutAt,
  };
}
