/**
 * JSON as Python writes it by default, since some clients of Jasmin compare it literally: a space after commas and
 * colons, ASCII only.
 */

type PythonValue = string | number | null | { readonly [key: string]: PythonValue };

export function pythonJson(value: PythonValue): string {
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value));
  const fields = Object.entries(value).map(([key, one]) => `${ascii(JSON.stringify(key))}: ${pythonJson(one)}`);
  return `{${fields.join(", ")}}`;
}

const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
