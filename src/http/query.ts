/** Reads query parameters: each is checked, and every problem is named at once. */
import { type FieldCode, type FieldProblem, invalid } from "../domain/api-error.ts";
import { codePointLength } from "../domain/text.ts";
import { urlOf } from "../platform/request-url.ts";
import { parseIsoTime } from "./iso-time.ts";

export type QueryReader = ReturnType<typeof queryReader>;

/** A plus sign that was not percent-encoded arrives as a space; where only a plus is possible, it is read as one. */
const leadingSpace = /^ /;
const spaceBeforeOffset = / (?=\d\d:?\d\d$)/;

/** A parameter that is missing is null; of one that is repeated the first counts. Unknown ones are ignored. */
export function queryReader(request: Request) {
  const query = urlOf(request).searchParams;
  const problems: FieldProblem[] = [];

  function wrong(field: string, code: FieldCode, message: string): null {
    problems.push({ field, code, message });
    return null;
  }

  return {
    /** Whatever `read` makes of the text; its null is a problem of this code. */
    value<T>(field: string, read: (text: string) => T | null, code: FieldCode, message: string): T | null {
      const text = query.get(field);
      return text === null ? null : (read(text) ?? wrong(field, code, message));
    },

    integer(field: string, { minimum, maximum }: { minimum: number; maximum: number }): number | null {
      const text = query.get(field);
      if (text === null) return null;
      if (!/^-?\d+$/.test(text)) return wrong(field, "invalid_type", "Must be a whole number.");
      const value = Number(text);
      if (value >= minimum && value <= maximum) return value;
      return wrong(field, "out_of_range", `Must be from ${minimum} to ${maximum}.`);
    },

    /** Epoch milliseconds. */
    time(field: string): number | null {
      const message = "Must be an ISO 8601 date and time with an offset or Z, such as 2026-11-20T15:36:00Z.";
      const read = (text: string) => parseIsoTime(text.replace(spaceBeforeOffset, "+"));
      return this.value(field, read, "invalid_format", message);
    },

    /** A number or name of at most 20 characters, in the spelling that `normalise` gives it; its null is no number. */
    address(field: string, normalise: (text: string) => string | null): string | null {
      const text = query.get(field)?.replace(leadingSpace, "+");
      if (text === undefined) return null;
      if (text.trim() === "") return wrong(field, "too_short", "Must have at least 1 character.");
      if (codePointLength(text) > 20) return wrong(field, "too_long", "Must have at most 20 characters.");
      return (
        normalise(text) ?? wrong(field, "invalid_phone_number", "Must be a number, such as +989121234567 or 30001234.")
      );
    },

    /** Throws `validation_failed` when something was wrong. */
    check(): void {
      if (problems.length > 0) throw invalid(problems);
    },
  };
}
