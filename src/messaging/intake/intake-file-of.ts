/** The file of an intake's template as the operator wrote it, from its credential's options. */

/** Undefined if the options have none. */
export function intakeFileOf(options: string): unknown {
  const stored: unknown = JSON.parse(options);
  return typeof stored === "object" && stored !== null ? Reflect.get(stored, "intake") : undefined;
}
