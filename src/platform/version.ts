/** The version of this build, from package.json, and the commit it was built from. */
import { version as packageVersion } from "../../package.json" with { type: "json" };

export const version: string = packageVersion;

/** Set by `scripts/build.ts`; absent when Peyk runs from source. */
declare const BUILT_FROM: { hash: string; date: string } | null | undefined;

/** Null when run from source, or built from source that is not committed. `date` is ISO 8601, UTC. */
export const builtFrom = typeof BUILT_FROM === "undefined" ? null : (BUILT_FROM ?? null);
