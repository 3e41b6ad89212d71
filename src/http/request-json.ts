/**
 * Parses bytes to a JSON value: strict UTF-8, with limits on nesting and values, so that no body blocks other requests.
 */
import { ApiError, invalid } from "../domain/api-error.ts";
import { jsonExcess, nestingMax, utf8 } from "../domain/json-limits.ts";

/** Seven times a full batch. 16 MiB of empty arrays, five million, blocked the whole service for 13 seconds. */
export const valuesMax = 50_000;

const tooDeep = () =>
  new ApiError("malformed_json", { message: `The body is nested deeper than ${nestingMax} levels.` });
const tooMany = () =>
  invalid([{ field: "body", code: "too_many", message: `Must hold at most ${valuesMax} values in all.` }]);

/** Throws `malformed_json`, and `validation_failed` for more values than any operation takes. */
export function parseRequestJson(bytes: Uint8Array): unknown {
  const excess = jsonExcess(bytes, { nestingMax, valuesMax });
  if (excess !== null) throw excess === "nesting" ? tooDeep() : tooMany();
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError("malformed_json");
  }
}
