/** Load by wrk (Debian): a script of requests, and what came of them. */
import { join } from "node:path";

export interface Load {
  url: string;
  script: "send.lua" | "sendsms.lua";
  seconds: number;
  connections: number;
  apiKey?: string;
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Responses that were no 2xx, and sockets that failed. */
  errors: number;
}

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

function numberAfter(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

export function isWrkInstalled(): boolean {
  return Bun.which("wrk") !== null;
}

export async function load({ url, script, seconds, connections, apiKey }: Load): Promise<LoadResult> {
  const file = join(import.meta.dir, "wrk", script);
  const run = `${Math.floor(Math.random() * 1e9)}`;
  const command = ["wrk", "-t1", `-c${connections}`, `-d${seconds}`, "--timeout", "10", "--latency", "-s", file, url];
  const child = Bun.spawn(command, { env: { ...process.env, BENCH_KEY: apiKey ?? "", BENCH_RUN: run }, stdout: "pipe", stderr: "pipe" });
  const said = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`wrk failed: ${await new Response(child.stderr).text()}`);
  const [, p99 = "0", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(said) ?? [];
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(said)?.slice(1) ?? [];
  return {
    perSecond: numberAfter(/Requests\/sec:\s+([\d.]+)/, said),
    p99: Number(p99) * (unitMs[unit] ?? 1),
    errors: numberAfter(/Non-2xx or 3xx responses: (\d+)/, said) + sockets.reduce((sum, count) => sum + Number(count), 0),
  };
}
