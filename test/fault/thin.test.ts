/** A disk without room for new blocks, mended, then cut: nothing acknowledged is lost. The whole table: `bun run faults`. */
import { expect, test } from "bun:test";
import { carelessRun, type ThinScenario, thinRun } from "./thin-rig.ts";
import { whyNoThinVolume } from "./thin-volume.ts";

const missing = whyNoThinVolume();
const scenarios: readonly ThinScenario[] = ["log", "checkpoint"];

for (const scenario of scenarios) {
  test.skipIf(missing !== null)(
    `a write to the ${scenario} that the disk drops: a careless program loses what it stored, Peyk loses nothing${missing === null ? "" : ` (skipped: ${missing})`}`,
    async () => {
      expect((await carelessRun(scenario)).lost).toBeGreaterThan(0);
      const result = await thinRun(scenario);
      expect(result).toEqual({ accepted: result.accepted, lost: 0, doubled: 0, wrong: 0, refusal: null });
      expect(result.accepted).toBeGreaterThan(300);
    },
    { timeout: 180_000 },
  );
}
