/** The table of ported numbers of a run: half of the recipients have moved, whichever table is imported. */
import type { Database } from "bun:sqlite";
import { networkSources } from "../../src/domain/network-source.ts";
import { PortedBuilder } from "../../src/store/ported-builder.ts";
import type { JudgedRun } from "./end.ts";

/** Whoever moved did so to this network. */
export const movedTo = "Rightel";
const recordsOfRun = 64;
/** Of the recipients that customers number: those of both, and of groups. */
const ranges = [
  [989121000000, 1_000],
  [989121010000, 50],
  [989126000000, 50],
] as const;
const unusedFrom = 989190000000;

/** Those of single messages end in 0, those of batches in 0 to 4. */
export const hasMoved = (recipient: string) => Number(recipient) % 4 < 2;

/** `unused`: numbers that nobody sends to; by them tables differ. Returns the file's sum. */
export function buildPorted(folder: string, unused: number): string {
  const builder = new PortedBuilder(folder, recordsOfRun);
  try {
    for (const [from, count] of [...ranges, [unusedFrom, 2 * unused] as const])
      for (let number = from; number < from + count; number += 1) if (hasMoved(`${number}`)) builder.add(number, 0);
    const built = builder.finish([movedTo]);
    if ("conflicts" in built) throw new Error("the table of a run contradicts itself");
    return built.sum;
  } finally {
    builder.close();
  }
}

export function judgePorted({ journal, model, plan }: JudgedRun, database: Database): void {
  const rows = database
    .query<{ recipient: string; source: number; isStep: number }, []>(
      `SELECT recipient, network_source AS source, id IN (SELECT message_id FROM otp_step) AS isStep FROM message`,
    )
    .all();
  for (const { recipient, source, isStep } of rows) {
    const number = recipient.replace("+", "");
    // The other customer pays nothing, so that nobody is asked for it.
    const isAsked = plan.lookup?.isNeeded === true && isStep === 0 && model.of(number)?.apiKey === null;
    if (isAsked && source === networkSources.prefix)
      journal.violated("needed", `${number} was accepted, and nothing but its range names its network`);
    const isRight =
      source === networkSources.lookup
        ? model.lookedUp.has(number)
        : source === (hasMoved(number) ? networkSources.ported : networkSources.prefix);
    if (model.of(number) !== undefined && !isRight)
      journal.violated("ported", `${number} has its network from source ${source}`);
  }
}
