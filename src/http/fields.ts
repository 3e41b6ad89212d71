/**
 * The kinds of field in a request body: each checks its value, explains what is wrong, and describes itself in the
 * reference.
 */
import { Kind, type SchemaOptions, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import type { FieldCode } from "../domain/api-error.ts";
import { messageLimits } from "../domain/message.ts";
import { isInSendWindow, sendWindowText } from "../domain/send-window.ts";
import { codePointLength, isCleanText, withoutTabs } from "../domain/text.ts";
import {
  type ContentRules,
  type RecipientRules,
  readRecipient,
  type UnfitRecipient,
} from "../messaging/messages/draft.ts";
import { parseIsoTime } from "./iso-time.ts";

/** What a field needs, besides its value, to judge it. */
export type FieldRules = RecipientRules & ContentRules;

/** What is wrong with one value. */
export interface ValueProblem {
  code: FieldCode;
  message: string;
}

interface FieldChecks {
  /** Runs for every request, so it is cheap and looks at the value alone. */
  shape(value: unknown): ValueProblem | null;
  /** Runs on well-formed values once a request is refused, so that the error lists every problem at once. */
  meaning(value: unknown, rules: FieldRules): ValueProblem | null;
}

const checks = Symbol("checks");
const fieldKind = "PeykField";

export interface FieldSchema<T> extends TSchema {
  static: T;
  [Kind]: typeof fieldKind;
  [checks]: FieldChecks;
}

TypeRegistry.Set<FieldSchema<unknown>>(fieldKind, (schema, value) => schema[checks].shape(value) === null);

export function isField(schema: TSchema): schema is FieldSchema<unknown> {
  return schema[Kind] === fieldKind;
}

/** The first problem with a field's value, or null. */
export function valueProblemOf(schema: FieldSchema<unknown>, value: unknown, rules: FieldRules): ValueProblem | null {
  return schema[checks].shape(value) ?? schema[checks].meaning(value, rules);
}

/** The field's description and example in the reference, which also lists its codes under `x-errors`. */
export interface FieldDescription {
  description: string;
  example: unknown;
}

const meansAnything = () => null;

function field<T>(
  keywords: SchemaOptions,
  shape: FieldChecks["shape"],
  meaning: FieldChecks["meaning"] = meansAnything,
): FieldSchema<T> {
  return Object.assign(Type.Unsafe<T>(keywords), { [Kind]: fieldKind, [checks]: { shape, meaning } } as const);
}

const problem = (code: FieldCode, message: string): ValueProblem => ({ code, message });

const notText = problem("invalid_type", "Must be a string.");
const notClean = problem(
  "invalid_format",
  "Must not hold control characters other than line breaks and tabs, nor lone surrogates.",
);

/** Length limits in Unicode code points, inclusive. */
export interface TextLimits {
  lengthMin: number;
  lengthMax: number;
}

function textShape({ lengthMin, lengthMax }: TextLimits): FieldChecks["shape"] {
  const tooShort = problem("too_short", `Must have at least ${lengthMin} character${lengthMin === 1 ? "" : "s"}.`);
  const tooLong = problem("too_long", `Must have at most ${lengthMax} characters.`);
  return (value) => {
    if (typeof value !== "string") return notText;
    const units = value.length;
    if (units < lengthMin || (units < 2 * lengthMin && codePointLength(value) < lengthMin)) return tooShort;
    if (units > lengthMax && (units > 2 * lengthMax || codePointLength(value) > lengthMax)) return tooLong;
    return isCleanText(value) || isCleanText(withoutTabs(value)) ? null : notClean;
  };
}

const textErrors = ({ lengthMin }: TextLimits): FieldCode[] => [
  "invalid_type",
  ...(lengthMin > 0 ? ["too_short" as const] : []),
  "too_long",
  "invalid_format",
];

const textKeywords = (limits: TextLimits) => ({
  type: "string",
  ...(limits.lengthMin > 0 ? { minLength: limits.lengthMin } : {}),
  maxLength: limits.lengthMax,
  "x-errors": textErrors(limits),
});

/** Text without control characters (except line breaks) and lone surrogates. */
export function textField({ description, example, ...limits }: FieldDescription & TextLimits): FieldSchema<string> {
  return field({ ...textKeywords(limits), description, example }, textShape(limits));
}

export function textOrNullField({
  description,
  example,
  ...limits
}: FieldDescription & TextLimits): FieldSchema<string | null> {
  const shape = textShape(limits);
  const keywords = { ...textKeywords(limits), type: ["string", "null"], description, example };
  return field(keywords, (value) => (value === null ? null : shape(value)));
}

/** Text that also passes `test`; `message` explains a failure. */
export function textMatchingField(
  options: FieldDescription & TextLimits & { test(value: string): boolean; message: string },
) {
  const { description, example, test, message, ...limits } = options;
  const shape = textShape(limits);
  const notMatching = problem("invalid_format", message);
  return field<string>({ ...textKeywords(limits), description, example }, (value) => {
    const wrong = shape(value);
    return wrong === null && typeof value === "string" && !test(value) ? notMatching : wrong;
  });
}

const recipientLimits: TextLimits = { lengthMin: 1, lengthMax: messageLimits.recipientMax };

const recipientProblems: Readonly<Record<UnfitRecipient["problem"], ValueProblem>> = {
  not_mobile: problem("invalid_phone_number", "Must be a mobile number, such as +989121234567 or 09121234567."),
  country_not_allowed: problem("out_of_range", "Is a number of a country that the account may not send to."),
};

/** E.164, or null: see `readRecipient`. */
export function recipientOf(text: string, rules: FieldRules): string | null {
  const recipient = readRecipient([text], rules);
  return typeof recipient === "string" ? recipient : null;
}

/** A recipient as text. Only its shape is checked here: the number is parsed once, where it is stored. */
export function recipientTextField(reference: FieldDescription): FieldSchema<string> {
  const errors = [...textErrors(recipientLimits), "invalid_phone_number", "out_of_range"];
  return field(
    { ...textKeywords(recipientLimits), ...reference, "x-errors": errors },
    textShape(recipientLimits),
    (value, rules) => {
      const recipient = typeof value === "string" ? readRecipient([value], rules) : "";
      return typeof recipient === "string" ? null : recipientProblems[recipient.problem];
    },
  );
}

const notTime = problem(
  "invalid_format",
  "Must be an ISO 8601 date and time with an offset or Z, such as 2026-11-20T15:36:00Z.",
);

const outsideSendWindow = problem("out_of_range", `Must lie ${sendWindowText} ahead.`);

/** When to send: a point in time with an offset or Z, within the window for scheduled messages. */
export function sendTimeField(reference: FieldDescription): FieldSchema<string> {
  return field(
    {
      type: "string",
      format: "date-time",
      ...reference,
      "x-errors": ["invalid_type", "invalid_format", "out_of_range"],
    },
    (value) => {
      if (typeof value !== "string") return notText;
      return parseIsoTime(value) === null ? notTime : null;
    },
    (value, rules) => {
      const sendAt = typeof value === "string" ? parseIsoTime(value) : null;
      return sendAt !== null && isInSendWindow(sendAt, rules.at) ? null : outsideSendWindow;
    },
  );
}

/** An integer between two limits, inclusive. */
export function integerField(options: FieldDescription & { minimum: number; maximum: number }): FieldSchema<number> {
  const { minimum, maximum } = options;
  const notInteger = problem("invalid_type", "Must be a whole number.");
  const outside = problem("out_of_range", `Must be from ${minimum} to ${maximum}.`);
  return field({ type: "integer", ...options, "x-errors": ["invalid_type", "out_of_range"] }, (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return notInteger;
    return value >= minimum && value <= maximum ? null : outside;
  });
}

const notBoolean = problem("invalid_type", "Must be true or false.");

export function booleanField(reference: FieldDescription): FieldSchema<boolean> {
  const keywords = { type: "boolean", ...reference, "x-errors": ["invalid_type"] };
  return field(keywords, (value) => (typeof value === "boolean" ? null : notBoolean));
}

/** One of a few texts. */
export function choiceField<T extends string>(choices: readonly T[], reference: FieldDescription): FieldSchema<T> {
  const known: ReadonlySet<unknown> = new Set(choices);
  const notKnown = problem("unknown", `Must be one of ${choices.join(", ")}.`);
  return field(
    { type: "string", enum: [...choices], ...reference, "x-errors": ["invalid_type", "unknown"] },
    (value) => {
      if (typeof value !== "string") return notText;
      return known.has(value) ? null : notKnown;
    },
  );
}

const notObject = problem("invalid_type", "Must be an object.");

/** An object whose fields only the operation can check. `codes`: the errors that it may report for them. */
export function objectField(options: FieldDescription & { codes: readonly FieldCode[] }) {
  const { codes, ...reference } = options;
  const keywords = {
    type: "object",
    additionalProperties: { type: "string" },
    ...reference,
    "x-errors": [...new Set<FieldCode>(["invalid_type", ...codes])],
  };
  return field<Readonly<Record<string, unknown>>>(keywords, (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? null : notObject,
  );
}

/** An array of one kind of entry, with inclusive limits. */
export function listField<Entry extends TSchema>(
  entry: Entry,
  { countMin, countMax, description }: { countMin: number; countMax: number; description: string },
) {
  const errors: FieldCode[] = ["invalid_type", ...(countMin > 0 ? ["too_few" as const] : []), "too_many"];
  return Type.Array(entry, { minItems: countMin, maxItems: countMax, description, "x-errors": errors });
}
