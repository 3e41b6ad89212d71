/** Runs a row of the bench at a tiny scale. */
import { expect, spyOn } from "bun:test";
import { peykCommand } from "../support/peyk-process.ts";
import { type CostRowName, costRows } from "./cost.ts";
import { type Measure, printReport } from "./report.ts";
import { type Scale, smokeScale } from "./scale.ts";

export const smokeMsMax = 180_000;

export const costRow =
  (name: CostRowName) =>
  (scale: Scale): Promise<Measure[]> =>
    costRows(scale, { newer: peykCommand, rounds: 1, rows: [name] });

function printed(measures: readonly Measure[]): string[] {
  const lines: string[] = [];
  const log = spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  printReport(measures);
  log.mockRestore();
  return lines;
}

export async function measuresAndPrints(row: (scale: Scale) => Promise<Measure[]>): Promise<void> {
  const measures = await row(smokeScale);
  const [head, ...lines] = printed(measures);
  expect(head).toStartWith("what");
  expect(lines.length).toBe(measures.length);
  for (const [index, { what, measured }] of measures.entries()) {
    expect(lines[index]).toContain(what);
    expect(measured).toMatch(/^[\d,.]+ ?(\/s|µs|ms|MB)$/);
    expect(lines[index]).toContain(measured);
  }
}
