/** Parses an intake's file: checks every key, and reports problems by their path before the first call arrives. */
import { JsonFileReader, type JsonFileResult, required } from "../json-file.ts";
import { problemOf } from "../operator-problem.ts";
import { isCharset } from "../text-charset.ts";
import { readAnswer } from "./answer-file.ts";
import { expandedPreset, intakePresetNames, isIntakePreset } from "./intake-presets.ts";
import {
  type CallerProof,
  type IntakeCondition,
  type IntakeContent,
  type IntakeFormat,
  type IntakeRecipients,
  type IntakeTemplate,
  intakeLimits,
  isSignature,
  type SignatureProof,
} from "./intake-template.ts";
import { noText, readIntakePath, readIntakePaths, readIntakeText, readIntakeValue } from "./value-file.ts";

/** A file may name a preset; its own keys override those of the preset. */
export function parseIntakeFile(file: unknown): JsonFileResult<IntakeTemplate> {
  if ((JSON.stringify(file) ?? "").length > intakeLimits.fileCharactersMax)
    return { problems: [problemOf("", "key_length", { min: 2, max: intakeLimits.fileCharactersMax })] };
  return JsonFileReader.read(withPreset(file), readIntake);
}

/** An unknown preset stays in the file, where it is reported as a problem. */
export function withPreset(file: unknown): unknown {
  if (typeof file !== "object" || file === null || Array.isArray(file)) return file;
  const { preset = null, ...own } = Object.fromEntries(Object.entries(file));
  if (preset === null) return own;
  return isIntakePreset(preset) ? { ...expandedPreset(preset), ...own } : file;
}

const days = (count: number) => count * 86_400;

function readIntake(reader: JsonFileReader): IntakeTemplate {
  // Known presets have been removed by now.
  reader.choice("preset", intakePresetNames, "json");
  const caller = readCallerProof(reader);
  const content = readContent(reader);
  const to = readRecipients(reader);
  const each = reader.value("each") === undefined ? null : readIntakePath(reader, "each");
  if (each !== null && to.kind === "group")
    reader.problem("each", { code: "excludes_key", values: { key: "to.group" } });
  if (content.kind === "code") refuseMany(reader, to, each !== null);
  return {
    caller,
    format: readFormat(reader),
    charset: readCharset(reader),
    urldecode: readEncodedPaths(reader),
    each,
    when: readConditions(reader),
    to,
    isInternational: reader.flag("international", false),
    sender: readOptional(reader, "sender"),
    content,
    reference: readOptional(reader, "reference"),
    key: readOptional(reader, "key"),
    keySeconds: reader.number("keySeconds", days(1), {
      // A signature is valid for the tolerance in either direction, so its key must last as long.
      min: signsTime(caller) ? 2 * caller.toleranceSeconds : 1,
      max: intakeLimits.keySecondsMax,
    }),
    keyFreeAfterFailure: reader.flag("keyFreeAfterFailure", false),
    answer: readAnswer(reader),
  };
}

const signsTime = (caller: CallerProof): caller is SignatureProof =>
  isSignature(caller) && (caller.kind !== "body" || caller.timestampHeader !== null);

/** A code is for one person only. */
function refuseMany(reader: JsonFileReader, to: IntakeRecipients, hasEach: boolean): void {
  const several = to.kind === "group" || (to.kind === "numbers" && to.numbers.length > 1);
  if (several) reader.problem("to", { code: "excludes_key", values: { key: "code" } });
  if (hasEach) reader.problem("each", { code: "excludes_key", values: { key: "code" } });
}

const readOptional = (reader: JsonFileReader, key: string) =>
  reader.value(key) === undefined ? null : readIntakeValue(reader, key);

function readContent(reader: JsonFileReader): IntakeContent {
  const hasCode = reader.value("code") !== undefined;
  const pattern = reader.text("pattern", null, { lengthMin: 1, lengthMax: 63 });
  if (!hasCode) {
    if (pattern !== null) reader.problem("code", { code: "required_beside", values: { key: "pattern" } });
    if (reader.value("text") === undefined) reader.problem("text", required);
    return { kind: "text", text: reader.value("text") === undefined ? noText : readIntakeValue(reader, "text") };
  }
  if (reader.value("text") !== undefined) reader.problem("text", { code: "excludes_key", values: { key: "code" } });
  return { kind: "code", code: readIntakeValue(reader, "code"), pattern };
}

/** `["0912…"]`, `"{{user.phone}}"`, or `{"group": "CODE"}`. */
function readRecipients(reader: JsonFileReader): IntakeRecipients {
  const value = reader.value("to");
  if (value === undefined) reader.problem("to", required);
  if (typeof value === "string") return { kind: "field", value: readIntakeText(reader, "to", value) };
  if (Array.isArray(value)) return { kind: "numbers", numbers: readNumbers(reader, value) };
  const code = reader.section("to", (to) => to.requiredText("group", { lengthMax: 63 }));
  return code === null ? { kind: "numbers", numbers: [] } : { kind: "group", code };
}

function readNumbers(reader: JsonFileReader, given: readonly unknown[]): string[] {
  const isNumber = (one: unknown): one is string => typeof one === "string" && one.length >= 1 && one.length <= 40;
  if (given.length >= 1 && given.length <= intakeLimits.numbersMax && given.every(isNumber)) return [...given];
  reader.problem("to", { code: "list", values: { min: 1, max: intakeLimits.numbersMax } });
  return [];
}

const formats = ["auto", "json", "form", "query"] as const;

/** `"json"`, or `{"field": "data"}` for a form whose field holds JSON. */
function readFormat(reader: JsonFileReader): IntakeFormat {
  const value = reader.value("format");
  if (value === undefined || typeof value === "string") return { kind: reader.choice("format", formats, "auto") };
  const name = reader.section("format", (format) => format.requiredText("field", { lengthMax: 100 }));
  return name === null ? { kind: "auto" } : { kind: "field", name };
}

function readCharset(reader: JsonFileReader): string {
  const charset = reader.text("charset", "utf-8", { lengthMin: 1, lengthMax: intakeLimits.charsetCharactersMax });
  if (!isCharset(charset)) reader.problem("charset", { code: "charset", values: { value: charset } });
  return charset;
}

/** `"text"` or `["text", "$.from"]`. */
const readEncodedPaths = (reader: JsonFileReader) =>
  reader.value("urldecode") === undefined ? [] : readIntakePaths(reader, "urldecode", intakeLimits.encodedPathsMax);

function readConditions(reader: JsonFileReader): IntakeCondition[] {
  const value = reader.value("when");
  if (value === undefined) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const { conditionsMax } = intakeLimits;
  if (list.length > conditionsMax)
    reader.problem("when", { code: "entries_max", values: { max: conditionsMax, what: "conditions" } });
  return list
    .slice(0, conditionsMax)
    .flatMap((one, index) => reader.object(Array.isArray(value) ? `when[${index}]` : "when", one, readCondition) ?? []);
}

/** `{"value": "{{status}}", "is": "firing"}`, or `isNot`; each takes a word or a list of words. */
function readCondition(condition: JsonFileReader): IntakeCondition {
  const read = condition.value("value") === undefined ? noText : readIntakeValue(condition, "value");
  if (condition.value("value") === undefined) condition.problem("value", required);
  const [is, isNot] = [readWords(condition, "is"), readWords(condition, "isNot")];
  if ((is === null) === (isNot === null))
    condition.problem("", { code: "one_of_forms", values: { forms: ['{"value", "is"}', '{"value", "isNot"}'] } });
  return { value: read, isOneOf: is !== null, words: is ?? isNot ?? [] };
}

function readWords(condition: JsonFileReader, key: string): string[] | null {
  const value = condition.value(key);
  if (value === undefined) return null;
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isScalar = (word: unknown) => ["string", "number", "boolean"].includes(typeof word);
  if (words.length <= intakeLimits.wordsMax && words.every(isScalar)) return words.map(String);
  condition.problem(key, { code: "scalar_values", values: {} });
  return [];
}

const kinds = ["basic", "bearer", "header", "query", "standard-webhooks", "stamped", "body"] as const;
const headerName = { lengthMax: 100, pattern: /^[\w-]+$/, shape: "header_name" as const };
const toleranceDefault = 300;

/** `{"kind": "bearer"}`. If absent, the password of HTTP basic authentication. */
function readCallerProof(reader: JsonFileReader): CallerProof {
  const proof = reader.section("caller", (caller) => {
    if (caller.value("kind") === undefined) caller.problem("kind", required);
    return readProof(caller, caller.choice("kind", kinds, "basic"), usualTolerance(reader));
  });
  return proof ?? { kind: "basic", username: null };
}

function readProof(caller: JsonFileReader, kind: (typeof kinds)[number], usual: number): CallerProof {
  switch (kind) {
    case "basic":
      return { kind, username: caller.text("username", null, { lengthMin: 1, lengthMax: 200 }) };
    case "bearer":
      return { kind };
    case "header":
      return { kind, name: caller.requiredText("name", headerName) };
    case "query":
      return { kind, name: caller.requiredText("name", { lengthMax: 100 }) };
    case "standard-webhooks":
      return { kind, toleranceSeconds: readTolerance(caller, usual) };
    case "stamped":
      return {
        kind,
        header: caller.requiredText("header", headerName),
        toleranceSeconds: readTolerance(caller, usual),
      };
    case "body":
      return {
        kind,
        header: caller.requiredText("header", headerName),
        prefix: caller.text("prefix", "", { lengthMax: 50 }),
        encoding: caller.choice("encoding", ["hex", "base64"], "hex"),
        timestampHeader: caller.text("timestampHeader", null, { lengthMin: 1, ...headerName }),
        separator: caller.text("separator", ":", { lengthMax: 5 }),
        toleranceSeconds: readTolerance(caller, usual),
      };
  }
}

const readTolerance = (caller: JsonFileReader, usual: number) =>
  caller.number("toleranceSeconds", usual, { min: 1, max: intakeLimits.toleranceSecondsMax });

/**
 * Half the time a key is kept: a signature is valid for the tolerance in either direction, and its key must last as
 * long.
 */
function usualTolerance(reader: JsonFileReader): number {
  const keySeconds = reader.value("keySeconds");
  if (typeof keySeconds !== "number" || keySeconds < 2) return toleranceDefault;
  return Math.min(toleranceDefault, Math.floor(keySeconds / 2));
}
