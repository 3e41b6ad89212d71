/** Ported numbers: what an import of ten million takes, a look-up, and the table at acceptance beside none. */
import { join } from "node:path";
import { PortedFile, portedNumber } from "../../src/store/ported-file.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { type CostOptions, costRows } from "./cost.ts";
import { type Measure, megabytes, microseconds, milliseconds } from "./report.ts";
import { portedCount, portedNumberAt } from "./rules-in-use.ts";
import type { Scale } from "./scale.ts";

const linesAtOnce = 100_000;
const lookups = 2_000_000;
/** Prime to the numbers of a range, so that they come in no order. */
const step = 7_919;

async function fileOf(path: string, count: number): Promise<void> {
  const file = Bun.file(path).writer();
  file.write("number,network\n");
  for (let from = 0; from < count; from += linesAtOnce) {
    const lines = Array.from(
      { length: Math.min(linesAtOnce, count - from) },
      (_, index) => `+${portedNumberAt((from + index) * step)},Irancell\n`,
    );
    file.write(lines.join(""));
    await file.flush();
  }
  await file.end();
}

/** The mean processor time of a look-up, in µs: half of the numbers are in the table. */
async function lookupMicros(folder: string, sum: string): Promise<number> {
  const table = await PortedFile.open(folder, sum);
  const numbers = Array.from(
    { length: lookups },
    (_, index) => `+98912${String((index * step) % 1e7).padStart(7, "0")}`,
  );
  let found = 0;
  const before = process.cpuUsage();
  for (const number of numbers) if (table.find(portedNumber(number)) >= 0) found += 1;
  const { user, system } = process.cpuUsage(before);
  if (found === 0) throw new Error("No number was found");
  return (user + system) / lookups;
}

async function importing(count: number, command: readonly string[]): Promise<Measure[]> {
  const folder = temporaryFolder();
  const peyk = await PeykProcess.start({ folder: folder.path, command });
  try {
    const csv = join(folder.path, "ported.csv");
    await fileOf(csv, count);
    const startedAt = performance.now();
    const child = Bun.spawn([...command, "ported", "import", csv, "--data-dir", folder.path], { stdout: "ignore" });
    if ((await child.exited) !== 0) throw new Error("The table was not imported");
    const tookMs = performance.now() - startedAt;
    const { cpuTime, maxRSS } = child.resourceUsage() ?? { cpuTime: { total: 0 }, maxRSS: 0 };
    const { table } = (await peyk.operate("GET", "/ported-numbers")) as { table: { sum: string } };
    return [
      { what: `import of ${count.toLocaleString("en")} ported numbers`, measured: milliseconds(tookMs) },
      { what: "  processor time", measured: milliseconds(Number(cpuTime.total) / 1_000) },
      { what: "  memory at most", measured: megabytes(maxRSS / 1e6) },
      { what: "  a look-up", measured: microseconds(await lookupMicros(folder.path, table.sum)) },
    ];
  } finally {
    await peyk.stop();
    folder.remove();
  }
}

const mostMore = 1.03;

export async function portedRows(scale: Scale, options: Omit<CostOptions, "rows">): Promise<Measure[]> {
  const [accept, rate] = await costRows(scale, { ...options, rows: ["ported"] });
  const { ratio = Number.NaN } = accept ?? {};
  return [
    ...(await importing(portedCount(scale.suppressed), options.newer)),
    ...(accept === undefined ? [] : [{ ...accept, bar: mostMore.toFixed(2), met: ratio < mostMore }]),
    ...(rate === undefined ? [] : [rate]),
  ];
}
