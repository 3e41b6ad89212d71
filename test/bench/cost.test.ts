/**
 * `bun run test:costs`: the bench must not rot, so every row of it runs here in next to no size, and prints its lines.
 * The suite runs one of them (smoke.test.ts).
 */
import { expect, test } from "bun:test";
import { describeWith } from "../support/wants.ts";
import { backlogRows } from "./backlog.ts";
import { batchRows } from "./batch.ts";
import { backlogRate, callbackRate, farRate, isolation } from "./callbacks.ts";
import { consoleRows } from "./console.ts";
import { costRowNames } from "./cost.ts";
import { doorRows } from "./doors.ts";
import { fsyncRows } from "./fsync.ts";
import { growthRows } from "./growth.ts";
import { hangingHostRows } from "./hanging-hosts.ts";
import { memoryRows } from "./memory.ts";
import { recordText } from "./record.ts";
import type { Measure } from "./report.ts";
import { type Scale, smokeScale } from "./scale.ts";
import { searchRows } from "./search.ts";
import { costRow, measuresAndPrints, smokeMsMax } from "./smoke.ts";
import { smppServerRows } from "./smpp-server.ts";
import { listenerRows, startRows } from "./start.ts";

const rows: Readonly<Record<string, (scale: Scale) => Promise<Measure[]>>> = {
  smpp: smppServerRows,
  backlog: backlogRows,
  batch: batchRows,
  doors: doorRows,
  console: consoleRows,
  fsync: fsyncRows,
  growth: growthRows,
  "hanging hosts": hangingHostRows,
  search: searchRows,
  start: startRows,
  listeners: listenerRows,
};

describeWith("wrk")("a benchmark", () => {
  for (const [name, row] of Object.entries(rows))
    test.concurrent(`the row ${name} measures and prints`, () => measuresAndPrints(row), smokeMsMax);
  for (const name of costRowNames)
    test.concurrent(`the row ${name} measures and prints`, () => measuresAndPrints(costRow(name)), smokeMsMax);
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

test("the callback benchmark counts and times callbacks", async () => {
  expect(await callbackRate(2, 20)).toBeGreaterThan(0);
  expect(await backlogRate(2, 20)).toBeGreaterThan(0);
  expect(await farRate(3)).toBeGreaterThan(0);
  const { alone, beside } = await isolation(1, 100, 0.3);
  expect(alone.p99).toBeGreaterThan(0);
  expect(beside.p99).toBeGreaterThan(0);
});
