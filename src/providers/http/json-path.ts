/** Finds values in JSON by paths such as `messages.0.status.code`. */

/** Undefined where nothing is at the path. Only the document's own keys are found. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const step of path === "" ? [] : path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Object.entries(value).find(([key]) => key === step)?.[1];
  }
  return value;
}

/** A string, number or boolean as text, so that `"7"` and `7` compare alike. Null for anything else. */
export function scalarAt(document: unknown, path: string): string | null {
  const value = valueAt(document, path);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
