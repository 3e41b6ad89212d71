/**
 * `bun run bench [ROW …]`: what Peyk promises about speed, measured on this machine beside a control in the same run.
 * `--large` stores ten million messages for the growth row in place of one million.
 */
import { build } from "../../scripts/build.ts";
import { acceptRows } from "./accept.ts";
import { backlogRows } from "./backlog.ts";
import { batchRows } from "./batch.ts";
import { callbackRows } from "./callbacks.ts";
import { endToEndRows } from "./e2e.ts";
import { fsyncRows } from "./fsync.ts";
import { groupRows } from "./groups.ts";
import { growthRows } from "./growth.ts";
import { otpRows } from "./otp.ts";
import { type Measure, printReport } from "./report.ts";
import { fullScale, largeScale, type Scale } from "./scale.ts";
import { startRows } from "./start.ts";
import { isWrkInstalled } from "./wrk.ts";

const rows: Readonly<Record<string, (scale: Scale) => Promise<Measure[]>>> = {
  accept: acceptRows,
  batch: batchRows,
  callbacks: callbackRows,
  e2e: endToEndRows,
  growth: growthRows,
  fsync: fsyncRows,
  backlog: backlogRows,
  start: startRows,
  groups: groupRows,
  otp: otpRows,
};

const words = process.argv.slice(2);
const asked = words.filter((word) => word !== "--large");
const unknown = asked.filter((word) => rows[word] === undefined);
if (unknown.length > 0) {
  console.error(`usage: bun run bench [--large] [ROW …]   rows: ${Object.keys(rows).join(", ")}`);
  process.exit(asked.includes("--help") ? 0 : 2);
}
if (!isWrkInstalled()) {
  console.error("The bench needs wrk: apt-get install wrk (and kannel, strace for the rows beside them)");
  process.exit(1);
}
const scale = words.includes("--large") ? largeScale : fullScale;
// A binary from before the last change would measure something else.
await build();
const measures: Measure[] = [];
for (const [name, row] of Object.entries(rows)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.error(`measuring ${name} …`);
  measures.push(...(await row(scale)));
}
printReport(measures);
