/** Counts the nesting and the values of a JSON text before anything is built from it. */
import { OperatorError } from "./operator-error.ts";

/** Deeper than any body or answer, and shallow enough for recursive code. */
export const nestingMax = 64;

export interface JsonLimits {
  nestingMax: number;
  /** Arrays, objects and the values in them. */
  valuesMax: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Which limit is exceeded; null if none is. Counts only brackets and commas: the parser finds invalid JSON. */
export function jsonExcess(bytes: Uint8Array, { nestingMax, valuesMax }: JsonLimits): "nesting" | "values" | null {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === comma) values += 1;
    else if (byte === openArray || byte === openObject) {
      values += 1;
      depth += 1;
      if (depth > nestingMax) return "nesting";
    } else if (byte === closeArray || byte === closeObject) depth -= 1;
  }
  return values > valuesMax ? "values" : null;
}

export const utf8 = new TextDecoder("utf-8", { fatal: true });

/** For bodies of operators, up to a megabyte: the parser takes a quarter of a second for one of opening brackets. */
export function parseOperatorJson(bytes: Uint8Array): unknown {
  try {
    if (jsonExcess(bytes, { nestingMax, valuesMax: 200_000 }) === null) return JSON.parse(utf8.decode(bytes));
  } catch {}
  throw new OperatorError("invalid", { code: "body_not_json", values: {} });
}

/** The index of the quotation mark that ends the string starting at `start`, or past the end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
