/** Reads query parameters: each is checked, and every problem is reported at once. */
import { type FieldCode, type FieldProblem, invalid } from "../domain/api-error.ts";
import { codePointLength } from "../domain/text.ts";
import { urlOf } from "../platform/request-url.ts";
import { parseIsoTime } from "./iso-time.ts";

/** A plus sign that was not percent-encoded arrives as a space; where only a plus can be meant, it is read as one. */
const leadingSpace = /^ /;
const spaceBeforeOffset = / (?=\d\d:?\d\d$)/;

/** Null for a missing parameter; the first value of a repeated one. Unknown parameters are ignored. */
export function queryReader(request: Request) {
  const query = urlOf(request).searchParams;
  const problems: FieldProblem[] = [];

  function wrong(field: string, code: FieldCode, message: string): null {
    problems.push({ field, code, message });
    return null;
  }

  return {
    /** Whatever `read` returns for the text; null is reported as a problem with this code. */
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

    /** A number or name of at most 20 characters, normalised by `normalise`, which returns null if invalid. */
    address(field: string, normalise: (text: string) => string | null): string | null {
      const text = query.get(field)?.replace(leadingSpace, "+");
      if (text === undefined) return null;
      if (text.trim() === "") return wrong(field, "too_short", "Must have at least 1 character.");
      if (codePointLength(text) > 20) return wrong(field, "too_long", "Must have at most 20 characters.");
      return (
        normalise(text) ?? wrong(field, "invalid_phone_number", "Must be a number, such as +989121234567 or 30001234.")
      );
    },

    /** Throws `validation_failed` if anything was wrong. */
    check(): void {
      if (problems.length > 0) throw invalid(problems);
    },
  };
}
