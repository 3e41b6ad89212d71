/** Finds the keys of a changed file that would send its secrets to another place, or in another way. */
import { isDeepStrictEqual } from "node:util";
import type { JsonFileReader } from "../domain/json-file.ts";
import { RouteFileSchemaReader } from "./route-file-schema.ts";

type Keys = Readonly<Record<string, unknown>>;

export interface DestinationKeys {
  /** Reads the keys without such an effect. Every other key counts, including any that later versions add. */
  readTuning(reader: JsonFileReader): unknown;
  secretKeys: readonly string[];
}

/** Top-level keys as in either file; null equals a missing key. */
export function destinationChanges(before: Keys, after: Keys, { readTuning, secretKeys }: DestinationKeys): string[] {
  const reader = new RouteFileSchemaReader();
  readTuning(reader);
  const others = new Set([...reader.namedKeys(), ...secretKeys]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !others.has(key) && !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));
}
