/** Starts what the rows measure: Peyk as a process with one customer, and the bare Elysia endpoint as its control. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Customer, PeykProcess, type StartOptions } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

export interface BenchServer {
  peyk: PeykProcess;
  customer: Customer;
  stop(): Promise<void>;
}

export interface BenchServerOptions extends Partial<StartOptions> {
  /** Keeps messages in the queue: a row about accepting must not measure sending as well. */
  routesDisabled?: boolean;
}

export async function startBenchServer({
  routesDisabled = false,
  folder,
  ...options
}: BenchServerOptions = {}): Promise<BenchServer> {
  const path = folder ?? temporaryFolder().path;
  const peyk = await PeykProcess.start({ ...options, folder: path });
  const customer = await peyk.customer();
  if (routesDisabled) await peyk.operate("POST", "/routes/simulator/disable");
  return {
    peyk,
    customer,
    async stop() {
      await peyk.stop();
      if (folder === undefined) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Messages that a start finds outside the index are merged in the background. */
export async function indexed({ peyk }: BenchServer): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const status = await peyk.operate("GET", "/status");
    const { reports } = status as { reports: { counted: number; indexed: number } };
    if (reports.counted === 1 && reports.indexed === 1) return;
    if (performance.now() > deadline) throw new Error("The store was not indexed in time");
    await Bun.sleep(100);
  }
}

export interface BareServer {
  pid: number;
  url: string;
  stop(): void;
}

export async function startBare(): Promise<BareServer> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "bare.ts")], {
    stdout: "pipe",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const { value } = await child.stdout.getReader().read();
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`,
    stop: () => child.kill(),
  };
}

/** Resident memory of a process, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
