/** The table of ported numbers of a run: every other recipient has moved, whichever table is imported. */
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

export const hasMoved = (recipient: string) => Number(recipient) % 2 === 0;

/** `unused`: numbers that nobody sends to; by them tables differ. Returns the file's sum. */
export function buildPorted(folder: string, unused: number): string {
  const builder = new PortedBuilder(folder, recordsOfRun);
  try {
    for (const [from, count] of [...ranges, [unusedFrom, 2 * unused] as const])
      for (let number = from; number < from + count; number += 2) builder.add(number, 0);
    const built = builder.finish([movedTo]);
    if ("conflicts" in built) throw new Error("the table of a run contradicts itself");
    return built.sum;
  } finally {
    builder.close();
  }
}

export function judgePorted({ journal, model }: JudgedRun, database: Database): void {
  const rows = database
    .query<{ recipient: string; source: number }, []>("SELECT recipient, network_source AS source FROM message")
    .all();
  for (const { recipient, source } of rows) {
    const number = recipient.replace("+", "");
    const isRight =
      source === networkSources.lookup
        ? model.lookedUp.has(number)
        : source === (hasMoved(number) ? networkSources.ported : networkSources.prefix);
    if (model.of(number) !== undefined && !isRight)
      journal.violated("ported", `${number} has its network from source ${source}`);
  }
}
