/**
 * `bun run bench [ROW …]`: what Peyk promises about speed, measured on this machine beside a control in the same run.
 * `--large` stores ten million messages for the growth row in place of one million.
 */
import { acceptRows } from "./accept.ts";
import { batchRows } from "./batch.ts";
import { callbackRows } from "./callbacks.ts";
import { type Measure, printReport } from "./report.ts";
import { isWrkInstalled } from "./wrk.ts";

const rows: Readonly<Record<string, () => Promise<Measure[]>>> = {
  accept: acceptRows,
  batch: batchRows,
  callbacks: callbackRows,
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = asked.filter((word) => rows[word] === undefined);
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}. Rows: ${Object.keys(rows).join(", ")}`);
  process.exit(2);
}
if (!isWrkInstalled()) {
  console.error("The bench needs wrk: apt-get install wrk (and kannel, strace for the rows beside them)");
  process.exit(1);
}
const measures: Measure[] = [];
for (const [name, row] of Object.entries(rows)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.error(`measuring ${name} …`);
  measures.push(...(await row()));
}
printReport(measures);
