/** A disk without room for new blocks, extended, then cut: nothing acknowledged is lost. The whole table: `bun run faults`. */
import { expect, test } from "bun:test";
import { carelessRun, type ThinScenario, thinRun } from "./thin-rig.ts";
import { whyNoThinVolume } from "./thin-volume.ts";

const missing = whyNoThinVolume();
const scenarios: Readonly<Record<ThinScenario, string>> = {
  log: "a write to the log that the disk drops",
  checkpoint: "a write to the database file that the disk drops",
  half: "a write to the log of which the disk keeps a part and calls it whole",
  growth: "a checkpoint that the disk calls whole and of which it drops what was new",
};
const isScenario = (name: string): name is ThinScenario => name in scenarios;

for (const scenario of Object.keys(scenarios).filter(isScenario)) {
  test.skipIf(missing !== null)(
    `${scenarios[scenario]}: a careless program loses what it stored, Peyk loses nothing${missing === null ? "" : ` (skipped: ${missing})`}`,
    async () => {
      expect((await carelessRun(scenario)).lost).toBeGreaterThan(0);
      const result = await thinRun(scenario);
      expect(result).toEqual({ accepted: result.accepted, lost: 0, doubled: 0, wrong: 0, refusal: null });
      expect(result.accepted).toBeGreaterThan(300);
    },
    { timeout: 180_000 },
  );
}
