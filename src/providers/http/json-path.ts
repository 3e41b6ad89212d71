/** Finds values in JSON by paths such as `messages.0.status.code`. */

/** Undefined where the path leads nowhere. Only what the document itself holds is found. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const step of path === "" ? [] : path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Object.entries(value).find(([key]) => key === step)?.[1];
  }
  return value;
}

/** A value as the text that a rule or an id compares: `"7"` and `7` are the same. Null where there is nothing to compare. */
export function scalarAt(document: unknown, path: string): string | null {
  const value = valueAt(document, path);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Undefined for what is no JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
