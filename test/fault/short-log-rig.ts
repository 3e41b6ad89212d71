/** A log that the disk truncates or loses after a kill. The control starts without the mark, as SQLite alone would. */
import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseFileName } from "../../src/store/database.ts";
import { markPathOf } from "../../src/store/log-mark.ts";
import { NeverServed, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import type { FaultResult } from "./thin-rig.ts";

const sent = 60;

export async function shortLogRun(withMark = true): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-short-log-"));
  try {
    const accepted = await acceptedBy(folder);
    const database = join(folder, databaseFileName);
    if (!withMark) rmSync(markPathOf(database));
    shorten(`${database}-wal`);
    return { accepted: accepted.length, doubled: 0, wrong: 0, ...(await found(folder, accepted)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The codes of a service that was killed. */
async function acceptedBy(folder: string): Promise<string[]> {
  const peyk = await PeykProcess.start({ folder });
  const customer = await peyk.customer();
  const codes: string[] = [];
  for (let count = 0; count < sent; count += 1) codes.push((await peyk.send(customer)).body.trackingCode ?? "");
  await peyk.kill();
  return codes;
}

/** In one run of four it is gone; otherwise less than half of it is left, ending in preallocated space. */
function shorten(log: string): void {
  if (Math.random() < 0.25) rmSync(log);
  else truncateSync(log, Math.floor(statSync(log).size * Math.random() * 0.5));
}

async function found(folder: string, accepted: readonly string[]): Promise<Pick<FaultResult, "lost" | "refusal">> {
  try {
    const peyk = await PeykProcess.start({ folder });
    await peyk.kill();
  } catch (reason) {
    if (!(reason instanceof NeverServed)) throw reason;
    return { lost: 0, refusal: reason.message.trim() };
  }
  const stored = new Set(
    rowsIn<{ code: string }>(folder, "SELECT tracking_code AS code FROM message").map(({ code }) => code),
  );
  return { lost: accepted.filter((code) => !stored.has(code)).length, refusal: null };
}
