/** Load by wrk (Debian): a script of requests, and their results. */
import { join } from "node:path";

/** What counted.lua can count as well. */
export type Script = "send.lua" | "otp.lua" | "sendsms.lua" | "inbound.lua";

/** Of the user `bench`, in sendsms.lua. */
export const kannelPassword = "password-of-bench";

export interface Load {
  url: string;
  script: Script | "paced.lua";
  /** May be a fraction: wrk is then interrupted, and still reports. */
  seconds: number;
  connections: number;
  apiKey?: string;
  /** Mean pause of a connection between two requests, for paced.lua. */
  restMs?: number;
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds, as `p50` and `max`. */
  p99: number;
  p50: number;
  max: number;
  /** Responses other than 2xx, and sockets that failed. */
  errors: number;
}

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

function numberAfter(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

function msAfter(pattern: RegExp, text: string): number {
  const [, count = "0", unit = "ms"] = pattern.exec(text) ?? [];
  return Number(count) * (unitMs[unit] ?? 1);
}

export function isWrkInstalled(): boolean {
  return Bun.which("wrk") !== null;
}

const scripts = join(import.meta.dir, "wrk");

interface Environment {
  script: string;
  apiKey?: string;
  more: Readonly<Record<string, string>>;
}

function startWrk(options: readonly string[], url: string, { script, apiKey, more }: Environment) {
  const env = {
    ...process.env,
    BENCH_KEY: apiKey ?? "",
    BENCH_RUN: `${Math.floor(Math.random() * 1e9)}`,
    BENCH_SCRIPTS: scripts,
    ...more,
  };
  const command = ["wrk", "-t1", "--timeout", "10", "--latency", ...options, "-s", join(scripts, script), url];
  return Bun.spawn(command, { env, stdout: "pipe", stderr: "pipe" });
}

/** Requests that were not answered with 2xx, and sockets that failed. */
function errorsIn(report: string): number {
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(report)?.slice(1) ?? [];
  return (
    numberAfter(/Non-2xx or 3xx responses: (\d+)/, report) + sockets.reduce((sum, count) => sum + Number(count), 0)
  );
}

export async function load(asked: Load): Promise<LoadResult> {
  const { url, script, seconds, connections, apiKey, restMs = 0 } = asked;
  const more = { BENCH_REST_MS: `${Math.round(restMs)}` };
  const child = startWrk([`-c${connections}`, `-d${Math.ceil(seconds)}`], url, {
    script,
    ...(apiKey && { apiKey }),
    more,
  });
  const early = Number.isInteger(seconds) ? undefined : setTimeout(() => child.kill("SIGINT"), seconds * 1_000);
  const report = await new Response(child.stdout).text();
  clearTimeout(early);
  const exitCode = await child.exited;
  // On a very busy machine it was told to stop before it had started.
  if (child.signalCode === "SIGINT") return load({ ...asked, seconds: Math.ceil(seconds) });
  if (exitCode !== 0) throw new Error(`wrk failed: ${await new Response(child.stderr).text()}`);
  return {
    perSecond: numberAfter(/Requests\/sec:\s+([\d.]+)/, report),
    p50: msAfter(/50%\s+([\d.]+)(us|ms|s|m)/, report),
    p99: msAfter(/99%\s+([\d.]+)(us|ms|s|m)/, report),
    // After the mean and the deviation.
    max: msAfter(/Latency(?:\s+[\d.]+[a-z]+){2}\s+([\d.]+)(us|ms|s|m)/, report),
    errors: errorsIn(report),
  };
}

export interface CountedLoad {
  url: string;
  script: Script;
  requests: number;
  connections: number;
  apiKey?: string;
}

const countedSecondsMax = 120;
/** For otp.lua: the recipients of one load end where those of the next begin. */
let nextNumber = 0;

/** Requests a second over exactly this many requests. Throws unless each is answered with 2xx. */
export async function loadCounted({ url, script, requests, connections, apiKey }: CountedLoad): Promise<number> {
  const more = {
    BENCH_COUNTED: script,
    BENCH_REQUESTS: `${requests}`,
    BENCH_CONNECTIONS: `${connections}`,
    BENCH_FIRST: `${nextNumber}`,
  };
  // One more than is sent: the request that wrk only inspects.
  nextNumber += requests + 1;
  const startedAt = performance.now();
  const environment = { script: "counted.lua", ...(apiKey && { apiKey }), more };
  const child = startWrk([`-c${connections}`, `-d${countedSecondsMax}`], url, environment);
  let report = "";
  let tookMs = Number.NaN;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    report += decoder.decode(chunk, { stream: true });
    if (!Number.isNaN(tookMs) || !report.includes("all answered")) continue;
    tookMs = performance.now() - startedAt;
    // It would wait until its time is over, and prints its report in any case.
    child.kill("SIGINT");
  }
  const answered = numberAfter(/(\d+) requests in /, report);
  if (answered !== requests || errorsIn(report) > 0) {
    throw new Error(`Not ${requests} requests accepted:\n${report}${await new Response(child.stderr).text()}`);
  }
  return (requests * 1_000) / tookMs;
}
