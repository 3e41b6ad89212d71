/** Runs Peyk under strace: its system calls in a folder, and a kill at any one of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, peykCommand } from "./peyk-process.ts";

/** Every call that changes a file or a folder, or waits for the disk. */
const changing =
  "openat,creat,mkdir,rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate,write,pwrite64,fsync";

export interface SystemCall {
  name: string;
  /** The files that it names or has open, in argument order. */
  paths: readonly string[];
  /**
   * Its number among the calls of this name by its thread that name the first of these files, from 1. How many others it makes
   * differs from run to run: Bun opens files of its own.
   */
  ordinal: number;
}

/** Ends with the command, or with a kill once its output contains `until`. */
export async function callsOf(argv: readonly string[], area: string, until?: string): Promise<SystemCall[]> {
  const trace = join(area, "trace");
  const tracer = ["strace", "-D", "-f", "-y", "-q", "-s", "0", "-o", trace, "-e", `trace=${changing}`];
  const child = Bun.spawn([...tracer, ...peykCommand, ...argv], { stdout: "pipe", stderr: "pipe" });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (until !== undefined && said.includes(until)) child.kill("SIGKILL");
  }
  const code = await child.exited;
  const ended = new RegExp(`^${child.pid} +\\+\\+\\+`, "m");
  await eventually(() => ended.test(readFileSync(trace, "utf8")));
  if (code !== 0 && until === undefined)
    throw new Error(`${argv.join(" ")} ended with ${code}: ${await new Response(child.stderr).text()}`);
  return callsIn(readFileSync(trace, "utf8"));
}

function callsIn(trace: string): SystemCall[] {
  const counts = new Map<string, number>();
  return trace.split("\n").flatMap((line): SystemCall[] => {
    const [, thread = "", name, rest = ""] = /^(\d+) +(\w+)\((.*)/.exec(line) ?? [];
    if (name === undefined) return [];
    const paths = [...rest.matchAll(/"(\/[^"]*)"|^\d+<(\/[^>]*)>/g)].map(([, named, open]) => named ?? open ?? "");
    const countOf = (path: string) => counts.get(`${thread} ${name} ${path}`) ?? 0;
    for (const path of new Set(paths)) counts.set(`${thread} ${name} ${path}`, countOf(path) + 1);
    return [{ name, paths, ordinal: countOf(paths[0] ?? "") }];
  });
}

/** Runs the command and kills it as it makes this call; true if it was killed. */
export async function killAt({ name, paths, ordinal }: SystemCall, argv: readonly string[]): Promise<boolean> {
  const [path = ""] = paths;
  const inject = ["-P", path, "-e", `trace=${name}`, "-e", `inject=${name}:signal=KILL:when=${ordinal}`];
  const command = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", ...inject, ...peykCommand, ...argv];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
  await child.exited;
  return child.signalCode === "SIGKILL";
}
