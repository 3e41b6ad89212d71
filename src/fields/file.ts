/** Reads the keys of a JSON file that are declared fields. */
import type { JsonFileReader } from "../domain/json-file.ts";
import type { Field, FieldTable } from "./field.ts";

/** Null where the file leaves it out and nothing is meant by that. */
export type FileValueOf<One extends Field> = One extends { kind: "choice"; words: readonly (infer Word)[] }
  ? Word
  : One extends { kind: "numbers" }
    ? readonly number[]
    : One extends { kind: "number" }
      ? number | (One extends { isRequired: true } | { otherwise: number } ? never : null)
      : One extends { kind: "text" }
        ? string | (One extends { isRequired: true } | { otherwise: string } ? never : null)
        : never;

type FileValues<Table extends FieldTable> = { [Name in keyof Table]: FileValueOf<Table[Name]> };

/** In declaration order. */
export function readFileFields<Table extends FieldTable>(reader: JsonFileReader, table: Table): FileValues<Table> {
  const values = Object.entries(table).map(([name, field]) => [name, readKey(reader, name, field)]);
  return Object.fromEntries(values) as FileValues<Table>;
}

/** The key of a field whose name is a path: `priority.otp`. */
export const readFileField = <One extends Field>(reader: JsonFileReader, key: string, field: One) =>
  readKey(reader, key, field) as FileValueOf<One>;

function readKey(reader: JsonFileReader, key: string, field: Field): unknown {
  switch (field.kind) {
    case "number":
      return field.isRequired ? reader.requiredNumber(key, field) : reader.number(key, field.otherwise ?? null, field);
    case "numbers":
      return reader.numbers(key, field);
    case "choice":
      return reader.choice(key, field.words, field.words[0] ?? "");
    case "text": {
      const { min, max, pattern, shape, otherwise = null } = field;
      const bounds = {
        ...(min !== undefined && { lengthMin: min }),
        lengthMax: max ?? Number.POSITIVE_INFINITY,
        ...(pattern !== undefined && { pattern }),
        ...(shape !== undefined && { shape }),
      };
      return field.isRequired ? reader.requiredText(key, bounds) : reader.text(key, otherwise, bounds);
    }
    default:
      throw new Error(`A file's ${key} is read by hand`);
  }
}
