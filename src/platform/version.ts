/** The version of this build, as package.json has it, and the commit that it was built from. */
import { version as packageVersion } from "../../package.json" with { type: "json" };

export const version: string = packageVersion;

/** Set by `scripts/build.ts`; absent where Peyk runs from its sources. */
declare const BUILT_FROM: { hash: string; date: string } | null | undefined;

/** Null when run from sources, or built from sources that no commit holds. `date` is ISO 8601, UTC. */
export const builtFrom = typeof BUILT_FROM === "undefined" ? null : (BUILT_FROM ?? null);
