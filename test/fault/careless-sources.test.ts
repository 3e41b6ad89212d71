/** The controls of the rigs, which `bun run faults` runs, fit the sources. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { withoutFurtherCommit, withoutGate, withoutPosition } from "./cluster-rig.ts";
import { withoutEpoch } from "./epoch-rig.ts";

test("every line that a control replaces is in its file", async () => {
  for (const { file, line } of [withoutEpoch, withoutFurtherCommit, withoutGate, withoutPosition].flat()) {
    const text = await Bun.file(join(import.meta.dir, "..", "..", file)).text();
    expect({ file, line, isThere: text.includes(line) }).toEqual({ file, line, isThere: true });
  }
});
