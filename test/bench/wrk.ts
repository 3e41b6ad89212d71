/** Load by wrk (Debian): a script of requests, and what came of them. */
import { join } from "node:path";

export interface Load {
  url: string;
  script: "send.lua" | "paced.lua" | "sendsms.lua";
  /** A fraction is possible: wrk is interrupted then, and reports all the same. */
  seconds: number;
  connections: number;
  apiKey?: string;
  /** Mean rest of a connection between two requests, for paced.lua. */
  restMs?: number;
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

const scripts = join(import.meta.dir, "wrk");

export async function load({ url, script, seconds, connections, apiKey, restMs = 0 }: Load): Promise<LoadResult> {
  const env = {
    ...process.env,
    BENCH_KEY: apiKey ?? "",
    BENCH_RUN: `${Math.floor(Math.random() * 1e9)}`,
    BENCH_SCRIPTS: scripts,
    BENCH_REST_MS: `${Math.round(restMs)}`,
  };
  const command = ["wrk", "-t1", `-c${connections}`, `-d${Math.ceil(seconds)}`, "--timeout", "10", "--latency"];
  const child = Bun.spawn([...command, "-s", join(scripts, script), url], { env, stdout: "pipe", stderr: "pipe" });
  const early = Number.isInteger(seconds) ? undefined : setTimeout(() => child.kill("SIGINT"), seconds * 1_000);
  const said = await new Response(child.stdout).text();
  clearTimeout(early);
  if ((await child.exited) !== 0) throw new Error(`wrk failed: ${await new Response(child.stderr).text()}`);
  const [, p99 = "0", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(said) ?? [];
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(said)?.slice(1) ?? [];
  return {
    perSecond: numberAfter(/Requests\/sec:\s+([\d.]+)/, said),
    p99: Number(p99) * (unitMs[unit] ?? 1),
    errors:
      numberAfter(/Non-2xx or 3xx responses: (\d+)/, said) + sockets.reduce((sum, count) => sum + Number(count), 0),
  };
}
