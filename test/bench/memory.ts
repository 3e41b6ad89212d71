/** Memory of a service that has accepted a day's messages: right after the load, and at rest; compared with another build if one is given. */
import { processMemory } from "../../src/platform/process-memory.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { residentMb, startBenchServer } from "./bench-server.ts";
import { cpuMicrosAtRest } from "./process-cpu.ts";
import { type Measure, median, megabytes } from "./report.ts";
import type { Scale } from "./scale.ts";
import { loadCounted } from "./wrk.ts";

type Command = readonly string[];

/** At full scale: memory hardly grows after these. */
export const acceptedMessages = 120_000;
/** The collector returns pages for a while after the last request. */
const restSeconds = 10;
const longRestSeconds = 50;

/** Megabytes. */
export interface Memory {
  fresh: number;
  loaded: number;
  atRest: number;
  atLongRest: number;
  /** Of `atLongRest`: the process's own, and pages of files that the kernel can drop. */
  anonymous: number;
  ofFiles: number;
}

const megabyte = 1_024 * 1_024;

export async function memoryOf(
  command: Command,
  { connections, costShare }: Scale,
  accepted = acceptedMessages,
): Promise<Memory> {
  const { peyk, customer, stop } = await startBenchServer({ command, routesDisabled: true });
  await cpuMicrosAtRest([peyk.pid]);
  const fresh = await residentMb(peyk.pid);
  const requests = accepted * costShare;
  await loadCounted({ url: peyk.url, script: "send.lua", requests, connections, apiKey: customer.apiKey });
  const loaded = await residentMb(peyk.pid);
  const rested = async (seconds: number) => {
    await Bun.sleep(seconds * 1_000 * costShare);
    await cpuMicrosAtRest([peyk.pid]);
    return residentMb(peyk.pid);
  };
  const atRest = await rested(restSeconds);
  const atLongRest = await rested(longRestSeconds);
  const { anonymousBytes, fileBytes } = processMemory(peyk.pid) ?? {
    anonymousBytes: Number.NaN,
    fileBytes: Number.NaN,
  };
  await stop();
  return { fresh, loaded, atRest, atLongRest, anonymous: anonymousBytes / megabyte, ofFiles: fileBytes / megabyte };
}

/** The half of what the other rows accept, as the bar has it. */
const barMessages = acceptedMessages / 2;
const anonymousMbMax = 45;

/** Its own memory a minute after 60,000 accepted messages. */
async function anonymousRow(scale: Scale, rounds: number): Promise<Measure> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    figures.push((await memoryOf(peykCommand, scale, barMessages)).anonymous);
  const measured = median(figures);
  return {
    what: `  of its own, a minute after ${(barMessages * scale.costShare).toLocaleString("en")} accepted messages`,
    measured: megabytes(measured),
    bar: `at most ${megabytes(anonymousMbMax)}`,
    met: measured <= anonymousMbMax,
  };
}

/** Rounds of this build and the other in turn: two processes of the same build differ by 10 %. */
export async function memoryRows(scale: Scale, rounds: number, older: Command | null = null): Promise<Measure[]> {
  const ours: Memory[] = [];
  const theirs: Memory[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await memoryOf(peykCommand, scale));
    if (older !== null) theirs.push(await memoryOf(older, scale));
  }
  const line = (what: string, figure: keyof Memory): Measure => {
    const measured = median(ours.map((one) => one[figure]));
    const control = median(theirs.map((one) => one[figure]));
    const beside = older === null ? {} : { control: megabytes(control), ratio: measured / control };
    return { what, measured: megabytes(measured), ...beside };
  };
  const accepted = (acceptedMessages * scale.costShare).toLocaleString("en");
  return [
    line("memory of a service that just started", "fresh"),
    line(`  right after ${accepted} accepted messages`, "loaded"),
    line(`  ${restSeconds} s after them`, "atRest"),
    line("  a minute after them", "atLongRest"),
    line("    of that, the process's own", "anonymous"),
    line("    and pages of files, which the kernel can drop", "ofFiles"),
    await anonymousRow(scale, rounds),
  ];
}
