/** Schemas of the operator API's inputs. */
import { t } from "elysia";
import { messageClassNames } from "../domain/message.ts";
import { permissions } from "../domain/permissions.ts";
import { regions } from "../domain/phone-number.ts";

export const nameSchema = t.String({
  minLength: 1,
  maxLength: 120,
  pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$",
  error: "must be one line of 1 to 120 characters",
});

/** Contract, "POST /v1/messages": 5 to 20 characters. Networks carry ASCII only. */
export const senderSchema = t.String({
  minLength: 5,
  maxLength: 20,
  pattern: "^[!-~]([ -~]*[!-~])?$",
  error: "must be 5 to 20 Latin letters, digits and signs, without a space at either end",
});

/** Countries that an account may send to; none at all means every country. */
export const countriesSchema = t.Array(
  t.String({ pattern: `^(?:${regions.join("|")})$`, error: "must be a two-letter country code, such as IR" }),
  { uniqueItems: true, error: "must be a list of different two-letter country codes, such as IR" },
);

/** A phone number in any common spelling, or an alphanumeric sender. */
export const addressSchema = t.String({
  minLength: 1,
  maxLength: 40,
  pattern: "\\S",
  error: "must be a number, in at most 40 characters",
});

/** Narrow, because it appears in paths and logs. */
export const routeNameSchema = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  error: "must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit",
});

export const routeNamesSchema = t.Array(routeNameSchema, { maxItems: 16, error: "must be at most 16 route names" });

/** Without `default: undefined`, Elysia fills a missing value with the first word. */
export function oneOf<const Words extends [string, ...string[]] | readonly [string, ...string[]]>(words: Words) {
  return t.UnionEnum(words, { default: undefined, error: `must be one of ${words.join(", ")}` });
}

/** `otp`, `single` or `bulk`. */
export const classSchema = oneOf(messageClassNames);

export const permissionSchema = oneOf(permissions);
export const permissionsSchema = t.Array(permissionSchema, { minItems: 1, uniqueItems: true });

/** Each entry is checked by the route, which names the wrong one. */
export const rangesSchema = t.Array(t.String(), { maxItems: 100, error: "must be at most 100 addresses or ranges" });

export const rateSchema = t.Integer({
  minimum: 1,
  maximum: 1_000_000,
  error: "must be a whole number from 1 to 1000000",
});

/** A route's file, secrets included. */
export const routeFileSchema = t.Record(t.String(), t.Unknown(), { error: "must be a JSON object" });

export const timeSchema = t.String({ format: "date-time", error: "must be an ISO 8601 time with an offset or Z" });

/** The code of a group or a pattern; it appears in paths of the public API. */
export const codeSchema = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  error: "must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit",
});

/** `account` limits a list to one account, and names whose group or pattern is meant where several have one of that code. */
export const accountQuerySchema = t.Object({ account: t.Optional(t.String()) });

/** `by`: who approves or suspends. `account`: as in `accountQuerySchema`. */
export const approvalSchema = t.Object({ by: nameSchema, account: t.Optional(t.String()) });
