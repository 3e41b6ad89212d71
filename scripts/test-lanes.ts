/**
 * Runs test lanes side by side: each lane's output is printed whole when it ends, a failure immediately, and all
 * failures at the end.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesByLane, lanes } from "./lanes.ts";

// The same value as in test/support/leftovers.ts, which in a single-process run only reaches the first file.
export const testCommand = [process.execPath, "test", "--timeout=60000"];
const tellEveryMs = 30_000;
/** Prints a failure immediately. */
const shownLinesMax = 60;

export interface LaneResult {
  lane: string;
  code: number;
  seconds: number;
  /** Processor time, summed over all processes. */
  cpuSeconds: number;
  /** In the form `test/FILE: (fail) NAME`. */
  failures: string[];
}

/** Reads the output of `bun test` line by line. */
class Reader {
  readonly lines: string[] = [];
  readonly failures: string[] = [];
  readonly files = new Set<string>();
  readonly #lane: string;
  /** `bun test` repeats all failures at its end. */
  #isSummary = false;
  #file = "";
  #rest = "";
  /** Output since the last test that passed: it belongs to the next one that fails. */
  #said: string[] = [];
  readonly #decoder = new TextDecoder();

  constructor(lane: string) {
    this.#lane = lane;
  }

  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const bytes of stream) {
      const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
    if (this.#rest !== "") this.#take(this.#rest);
  }

  #take(line: string): void {
    this.lines.push(line);
    if (/^\((pass|skip|todo)\)/.test(line)) this.#said = [];
    else if (this.#said.length < shownLinesMax) this.#said.push(line);
    const file = /^(test\/\S+\.tsx?):$/.exec(line)?.[1];
    if (file !== undefined) {
      this.#file = file;
      this.files.add(file);
    }
    if (/^\d+ tests? failed:$/.test(line)) this.#isSummary = true;
    if (!line.startsWith("(fail)") || this.#isSummary) return;
    const failure = `${this.#file}: ${line}`;
    this.failures.push(failure);
    console.log(`FAILED  ${this.#lane}  ${failure}\n${this.#said.map((said) => `  ${said}`).join("\n")}`);
    this.#said = [];
  }
}

async function runLane(lane: string, reader: Reader): Promise<LaneResult> {
  const startedAt = performance.now();
  const files = filesByLane().get(lane) ?? [];
  const isParallel = lane === "fast" || lanes[lane]?.isParallel === true;
  const command = [
    ...testCommand,
    ...(isParallel ? ["--parallel", "--no-isolate"] : []),
    ...files.map((file) => `./${file}`),
  ];
  // One pipe for both, so that lines stay in their order.
  const temporary = mkdtempSync(join(tmpdir(), `peyk-${lane}-`));
  // Some tests drop root privileges.
  chmodSync(temporary, 0o755);
  const env = { ...process.env, TMPDIR: temporary };
  const tests = Bun.spawn(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await reader.read(tests.stdout);
  const code = await tests.exited;
  rmSync(temporary, { recursive: true, force: true });
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = Number(tests.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  console.log(`\n=== ${lane} ===\n${reader.lines.join("\n")}\n`);
  return { lane, code, seconds, cpuSeconds, failures: reader.failures };
}

/** Runs the lanes side by side. */
export async function runLanes(names: readonly string[]): Promise<LaneResult[]> {
  const readers = new Map(names.map((name) => [name, new Reader(name)]));
  const startedAt = performance.now();
  const telling = setInterval(() => {
    const told = [...readers].map(([name, { files }]) => `${name} ${files.size} files`).join(", ");
    console.log(`${Math.round((performance.now() - startedAt) / 1000)} s: ${told}`);
  }, tellEveryMs);
  const results = await Promise.all([...readers].map(([name, reader]) => runLane(name, reader)));
  clearInterval(telling);
  for (const { lane, code, seconds, cpuSeconds, failures } of results) {
    console.log(
      `${code === 0 ? "ok" : "FAILED"}  ${lane} (${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of processor)`,
    );
    for (const failure of failures) console.log(`  ${failure}`);
  }
  return results;
}
