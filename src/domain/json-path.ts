/** Finds values in JSON by paths such as `messages.0.status.code`. */

import { jsonExcess, nestingMax } from "./json-limits.ts";

/** Undefined if there is nothing at the path. Only finds the document's own keys. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const step of path === "" ? [] : path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** A string, number or boolean as text, so that `"7"` and `7` compare equal. Null for anything else. */
export function scalarAt(document: unknown, path: string): string | null {
  const value = valueAt(document, path);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/**
 * Limit for one call or answer: a thousand reports of two dozen values. If all names are different, they take 40 ms.
 */
export const jsonValuesMax = 25_000;

export const isJsonTooLarge = (text: string): boolean =>
  jsonExcess(Buffer.from(text), { nestingMax, valuesMax: jsonValuesMax }) !== null;

/** Undefined for invalid JSON, and for more values than a carrier would send. */
export function tryParseJson(text: string): unknown {
  if (isJsonTooLarge(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
