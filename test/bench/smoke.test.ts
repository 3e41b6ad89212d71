/** The bench must not rot: its rows run here at a tiny scale, and print their lines. Most rows of `cost`, and `listeners`: `bun run test:costs`. */
import { expect, test } from "bun:test";
import { describeWith } from "../support/wants.ts";
import { acceptRows } from "./accept.ts";
import { backlogRows } from "./backlog.ts";
import { batchRows } from "./batch.ts";
import { backlogRate, callbackRate, farRate, isolation } from "./callbacks.ts";
import { consoleRows } from "./console.ts";
import { fsyncRows } from "./fsync.ts";
import { growthRows } from "./growth.ts";
import { hangingHostRows } from "./hanging-hosts.ts";
import type { Measure } from "./report.ts";
import type { Scale } from "./scale.ts";
import { searchRows } from "./search.ts";
import { costRow, measuresAndPrints, smokeMsMax } from "./smoke.ts";
import { smppServerRows } from "./smpp-server.ts";
import { startRows } from "./start.ts";

const rows: Readonly<Record<string, (scale: Scale) => Promise<Measure[]>>> = {
  accept: acceptRows,
  smpp: smppServerRows,
  backlog: backlogRows,
  batch: batchRows,
  console: consoleRows,
  "cost accept": costRow("accept"),
  "cost e2e": costRow("e2e"),
  fsync: fsyncRows,
  growth: growthRows,
  "hanging hosts": hangingHostRows,
  search: searchRows,
  start: startRows,
};

describeWith("wrk")("a benchmark", () => {
  for (const [name, row] of Object.entries(rows)) {
    test.concurrent(`the row ${name} measures and prints`, () => measuresAndPrints(row), smokeMsMax);
  }
});

test("the callback benchmark counts and times callbacks", async () => {
  expect(await callbackRate(2, 20)).toBeGreaterThan(0);
  expect(await backlogRate(2, 20)).toBeGreaterThan(0);
  expect(await farRate(3)).toBeGreaterThan(0);
  const { alone, beside } = await isolation(1, 100, 0.3);
  expect(alone.p99).toBeGreaterThan(0);
  expect(beside.p99).toBeGreaterThan(0);
});
