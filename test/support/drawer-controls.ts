/** The controls of a page that its drawer, the same by command or by curl, follows. */
import type { Flags } from "../../src/console/client/same-text.ts";

export const drawerControls = (flags: Flags): string[] =>
  Object.entries(flags).flatMap(([control, flag]) =>
    typeof flag === "string"
      ? [control]
      : [control, ...(flag.with ?? []), ...(flag.weight === undefined ? [] : [flag.weight])],
  );
