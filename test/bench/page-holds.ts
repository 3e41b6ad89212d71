/** How long the pages of the console block the event loop of the server, and with it everybody else. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FormClient } from "../support/console.ts";

interface Hold {
  endedAt: number;
  heldMs: number;
}

/** The longest hold while a page was made, in milliseconds. */
export interface PageHolds {
  path: string;
  first: number;
  later: number;
}

const laterCalls = 5;

const fileIn = (folder: string) => join(folder, "loop-holds");

/** With it, a server records its holds in its folder. */
export const notingHolds = (folder: string) => ({
  BENCH_HOLDS: fileIn(folder),
  BUN_OPTIONS: `--preload ${join(import.meta.dir, "loop-holds.ts")}`,
});

/** Opens page after page of a server that has shown none of them since its start. */
export async function pageHolds(folder: string, client: FormClient, paths: readonly string[]): Promise<PageHolds[]> {
  const calls: { path: string; round: number; from: number; to: number }[] = [];
  for (let round = 0; round <= laterCalls; round += 1) {
    for (const path of paths) {
      const from = Date.now();
      const answer = await client.get(path);
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      // What a page leaves to be collected counts as its own.
      await Bun.sleep(20);
      calls.push({ path, round, from, to: Date.now() });
    }
  }
  const lines = existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), "utf8").split("\n").slice(0, -1) : [];
  const holds = lines.map((line): Hold => JSON.parse(line));
  const longest = (path: string, isFirst: boolean) => {
    const own = calls.filter((call) => call.path === path && (call.round === 0) === isFirst);
    const held = holds.filter(({ endedAt }) => own.some(({ from, to }) => endedAt >= from && endedAt <= to));
    return Math.max(0, ...held.map(({ heldMs }) => heldMs));
  };
  return paths.map((path) => ({ path, first: longest(path, true), later: longest(path, false) }));
}
