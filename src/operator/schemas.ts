/** Schemas of the operator API's inputs. */
import { type TSchema, Type as t } from "@sinclair/typebox";
import { messageClassNames } from "../domain/message.ts";
import type { ProblemCode, ProblemValues } from "../domain/operator-problem.ts";
import { regions } from "../domain/phone-number.ts";

/** The error code for an invalid input. */
export function told<Code extends ProblemCode>(code: Code, values: ProblemValues[Code]) {
  return { problem: { code, values } };
}

/** One non-empty line. */
export const lineSchema = (maxLength: number) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$",
    ...told("line", { min: 1, max: maxLength }),
  });

/** The same, or nothing. */
export const optionalLineSchema = (maxLength: number) =>
  t.String({ maxLength, pattern: "^[^\\u0000-\\u001f\\u007f]*$", ...told("line", { min: 0, max: maxLength }) });

/** Contract, "POST /v1/messages": 5 to 20 characters. Networks only carry ASCII. */
export const senderSchema = t.String({
  minLength: 5,
  maxLength: 20,
  pattern: "^[!-~]([ -~]*[!-~])?$",
  ...told("sender", {}),
});

/** Countries that an account may send to; none means every country. */
export const countriesSchema = t.Array(t.String({ pattern: `^(?:${regions.join("|")})$`, ...told("country", {}) }), {
  uniqueItems: true,
  ...told("countries", {}),
});

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

/** Rows in an answer; the operation defines the default. */
export const limitField = t.Optional(t.Integer({ minimum: 1, maximum: 500 }));

export const truthField = t.Optional(t.Boolean());
