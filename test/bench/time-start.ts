/** Times a start: from the command to the first answers. */
import { freePort } from "../support/free-ports.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { cpuMicrosOf } from "./process-cpu.ts";

/** Milliseconds since the process was spawned. */
export interface StartTimes {
  /** The public listener answers, with any status. */
  listensMs: number;
  /** `until` held. */
  readyMs: number;
  /** Processor time of all threads until then, on which a busy machine has less effect. */
  cpuMs: number;
}

/** The request that the public listener gets again and again; the start is over when `until` holds for the answer. */
export interface Question {
  path: string;
  init?(): RequestInit;
  until(status: number): boolean;
}

export const ready: Question = { path: "/readyz", until: (status) => status === 200 };

/** The first 202: a message of this customer on disk. */
export const accepting = (apiKey: string, sender: string): Question => ({
  path: "/v1/messages",
  init: () => ({
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ sender, recipient: "09121234550", message: "سلام" }),
  }),
  until: (status) => status === 202,
});

const askEveryMs = 1;
const startMsMax = 60_000;

/** Null while nobody listens. */
async function statusOf(url: string, init: RequestInit): Promise<number | null> {
  try {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Runs `command`, calls its listener until the answer satisfies `question.until`, and stops it as systemd would. */
export async function timeStart(
  command: readonly string[],
  port: number,
  question: Question,
  env: Readonly<Record<string, string>> = {},
): Promise<StartTimes> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "inherit", env: { ...process.env, ...env } });
  const sinceStart = () => performance.now() - startedAt;
  let listensMs: number | null = null;
  try {
    while (child.exitCode === null && sinceStart() < startMsMax) {
      const status = await statusOf(`http://127.0.0.1:${port}${question.path}`, question.init?.() ?? {});
      if (status !== null) listensMs ??= sinceStart();
      if (status !== null && question.until(status)) {
        return { listensMs: listensMs ?? 0, readyMs: sinceStart(), cpuMs: cpuMicrosOf([child.pid]) / 1_000 };
      }
      await Bun.sleep(askEveryMs);
    }
    throw new Error(`It did not start: ${command.join(" ")}`);
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

/** One start of Peyk, or of another build of it, on this data folder. */
export async function timePeyk(
  folder: string,
  question: Question,
  build = peykCommand,
  env: Readonly<Record<string, string>> = {},
): Promise<StartTimes> {
  const port = await freePort();
  const listeners = ["--listen", `127.0.0.1:${port}`, "--console-listen", "127.0.0.1:0"];
  return timeStart([...build, "serve", "--data-dir", folder, ...listeners], port, question, env);
}

/** How long a command takes that ends by itself. */
export async function timeCommand(command: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await Bun.spawn([...command], { stdout: "ignore", stderr: "inherit" }).exited;
  return performance.now() - startedAt;
}
