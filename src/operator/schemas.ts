/** Schemas of the operator API's inputs. */
import { type TSchema, Type as t } from "@sinclair/typebox";
import { messageClassNames } from "../domain/message.ts";
import { englishProblems, type ProblemCode, type ProblemValues } from "../domain/operator-problem.ts";
import { regions } from "../domain/phone-number.ts";

/** What an input is refused with: the words, and for who reads another language the code that they are made from. */
export function told<Code extends ProblemCode>(code: Code, values: ProblemValues[Code]) {
  return { problem: { code, values }, error: englishProblems[code](values) };
}

/** One line that is not empty. */
export const lineSchema = (maxLength: number) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$",
    ...told("line", { min: 1, max: maxLength }),
  });

export const nameSchema = lineSchema(120);

/** Contract, "POST /v1/messages": 5 to 20 characters. Networks carry ASCII only. */
export const senderSchema = t.String({
  minLength: 5,
  maxLength: 20,
  pattern: "^[!-~]([ -~]*[!-~])?$",
  ...told("sender", {}),
});

/** Countries that an account may send to; none at all means every country. */
export const countriesSchema = t.Array(t.String({ pattern: `^(?:${regions.join("|")})$`, ...told("country", {}) }), {
  uniqueItems: true,
  ...told("countries", {}),
});

/** A phone number in any common spelling, or an alphanumeric sender. */
export const addressSchema = t.String({
  minLength: 1,
  maxLength: 40,
  pattern: "\\S",
  ...told("address", {}),
});

/** Narrow, because it appears in paths and logs. */
export const routeNameSchema = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  ...told("short_name", {}),
});

export const routeNamesSchema = t.Array(routeNameSchema, { maxItems: 16, error: "must be at most 16 route names" });

export const nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()]);

export function oneOf<const Word extends string>(words: readonly Word[]) {
  const literals = words.map((word) => t.Literal(word));
  return t.Unsafe<Word>(t.Union(literals, told("choice", { words })));
}

/** `otp`, `single` or `bulk`. */
export const classSchema = oneOf(messageClassNames);

/** A route's file, secrets included. */
export const routeFileSchema = t.Record(t.String(), t.Unknown(), told("json_object", {}));

export const timeSchema = t.String({ format: "date-time", ...told("time", {}) });

/** The code of a group or a pattern; it appears in paths of the public API. */
export const codeSchema = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  ...told("short_name", {}),
});

/** Limits a list to one account, and names whose group or pattern is meant where several have one of that code. */
export const accountField = t.Optional(t.String());

/** `by`: who approves or suspends. */
export const approvalFields = { code: t.String(), by: nameSchema, account: accountField };

/** Rows of an answer; the operation says how many where it is left out. */
export const limitField = t.Optional(t.Integer({ minimum: 1, maximum: 500, error: "must be from 1 to 500" }));

export const truthField = t.Optional(t.Boolean({ error: "must be true or false" }));
