/**
 * `bun run test:costs`: every row of `bun run bench cost`, `bench listeners`, `bench memory` and `bench record` in next to no size. The
 * suite runs two of the costs (smoke.test.ts).
 */
import { expect, test } from "bun:test";
import { describeWith } from "../support/wants.ts";
import { costRowNames } from "./cost.ts";
import { memoryRows } from "./memory.ts";
import { recordText } from "./record.ts";
import { smokeScale } from "./scale.ts";
import { costRow, measuresAndPrints, smokeMsMax } from "./smoke.ts";
import { listenerRows } from "./start.ts";

describeWith("wrk")("a benchmark of costs", () => {
  for (const name of costRowNames)
    test.concurrent(`the row ${name} measures and prints`, () => measuresAndPrints(costRow(name)), smokeMsMax);
  test.concurrent("the row listeners measures and prints", () => measuresAndPrints(listenerRows), smokeMsMax);
  test.concurrent(
    "the row memory measures and prints",
    () => measuresAndPrints((scale) => memoryRows(scale, 1)),
    smokeMsMax,
  );
  test.concurrent(
    "the record names the machine and its disk above the table",
    async () => {
      const text = await recordText(smokeScale, new Date("2026-11-23T08:00:00Z"));
      expect(text).toMatch(/^2026-11-23, Peyk .*\nCPU: .*\nDisk: .* fsync: [\d.]+ ms .*\n\n\| what \| Peyk/);
      expect(text).toMatch(/\| full cycle: .* \| [\d,]+\/s \| ([\d,]+\/s|–) \|/);
    },
    smokeMsMax,
  );
});
