/** Bytes to a JSON value: strict UTF-8, with limits on nesting and on values, so that no body holds up other requests. */
import { ApiError, invalid } from "../domain/api-error.ts";

/** Deeper than any body of the API, and shallow enough for recursive code. */
export const nestingMax = 64;
/** Seven times a full batch. 16 MiB of empty arrays, five million, blocked the whole service for 13 seconds. */
export const valuesMax = 50_000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

const tooDeep = () =>
  new ApiError("malformed_json", { message: `The body is nested deeper than ${nestingMax} levels.` });
const tooMany = () =>
  invalid([{ field: "body", code: "too_many", message: `Must hold at most ${valuesMax} values in all.` }]);

/** Throws `malformed_json`, and `validation_failed` for more values than any operation takes. */
export function parseRequestJson(bytes: Uint8Array): unknown {
  assertWithinLimits(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError("malformed_json");
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Counts brackets and commas alone, before anything is built. Invalid JSON is found by the parser. */
function assertWithinLimits(bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === comma) values += 1;
    else if (byte === openArray || byte === openObject) {
      values += 1;
      depth += 1;
      if (depth > nestingMax) throw tooDeep();
    } else if (byte === closeArray || byte === closeObject) depth -= 1;
  }
  if (values > valuesMax) throw tooMany();
}

/** The index of the quotation mark that ends the string beginning at `start`, or beyond the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
