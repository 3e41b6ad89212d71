/** Tells which keys of a changed file would send its secrets to another place, or in another way. */
import { isDeepStrictEqual } from "node:util";
import type { RouteFileReader } from "./route-file.ts";
import { RouteFileSchemaReader } from "./route-file-schema.ts";

type Keys = Readonly<Record<string, unknown>>;

export interface DestinationKeys {
  /** Reads the keys that say nothing of it. Every other key counts, one that a later version adds too. */
  readTuning(reader: RouteFileReader): unknown;
  secretKeys: readonly string[];
}

/** Top-level keys, as they stand in either file; null and a missing key are the same. */
export function destinationChanges(before: Keys, after: Keys, { readTuning, secretKeys }: DestinationKeys): string[] {
  const reader = new RouteFileSchemaReader();
  readTuning(reader);
  const others = new Set([...reader.namedKeys(), ...secretKeys]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !others.has(key) && !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));
}
