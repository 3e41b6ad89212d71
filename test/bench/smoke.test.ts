/** The bench must not rot: every row runs here in next to no size, and prints its lines. */
import { expect, spyOn, test } from "bun:test";
import { peykCommand } from "../support/peyk-process.ts";
import { describeWith } from "../support/wants.ts";
import { acceptRows } from "./accept.ts";
import { backlogRows } from "./backlog.ts";
import { batchRows } from "./batch.ts";
import { callbackRate, isolation } from "./callbacks.ts";
import { consoleRows } from "./console.ts";
import { costRowNames, costRows } from "./cost.ts";
import { fsyncRows } from "./fsync.ts";
import { growthRows } from "./growth.ts";
import { type Measure, printReport } from "./report.ts";
import { type Scale, smokeScale } from "./scale.ts";
import { searchRows } from "./search.ts";
import { smppServerRows } from "./smpp-server.ts";
import { startRows } from "./start.ts";

const rows: Readonly<Record<string, (scale: Scale) => Promise<Measure[]>>> = {
  accept: acceptRows,
  smpp: smppServerRows,
  backlog: backlogRows,
  batch: batchRows,
  console: consoleRows,
  ...Object.fromEntries(
    costRowNames.map((name) => [
      `cost ${name}`,
      (scale: Scale) => costRows(scale, { newer: peykCommand, rounds: 1, rows: [name] }),
    ]),
  ),
  fsync: fsyncRows,
  growth: growthRows,
  search: searchRows,
  start: startRows,
};

const timeoutMs = 60_000;

function printed(measures: readonly Measure[]): string[] {
  const lines: string[] = [];
  const log = spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  printReport(measures);
  log.mockRestore();
  return lines;
}

describeWith("wrk")("a benchmark", () => {
  for (const [name, row] of Object.entries(rows)) {
    test.concurrent(
      `the row ${name} measures and prints`,
      async () => {
        const measures = await row(smokeScale);
        const [head, ...lines] = printed(measures);
        expect(head).toStartWith("what");
        expect(lines.length).toBe(measures.length);
        for (const [index, { what, measured }] of measures.entries()) {
          expect(lines[index]).toContain(what);
          expect(measured).toMatch(/^[\d,.]+ ?(\/s|µs|ms|MB)$/);
          expect(lines[index]).toContain(measured);
        }
      },
      timeoutMs,
    );
  }
});

test("callbacks are counted and timed", async () => {
  expect(await callbackRate(2, 20)).toBeGreaterThan(0);
  const { alone, beside } = await isolation(1, 100, 0.3);
  expect(alone.p99).toBeGreaterThan(0);
  expect(beside.p99).toBeGreaterThan(0);
});
