/** Runs lanes of tests side by side: what each says is shown whole when it ends, a failure at once, and all failures at the end. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesByLane, lanes } from "./lanes.ts";

// As test/support/leftovers.ts sets it, which in a run of one process reaches the first file only.
export const testCommand = [process.execPath, "test", "--timeout=60000"];
const tellEveryMs = 30_000;
/** Of a failure, at once. */
const shownLinesMax = 60;

export interface LaneResult {
  lane: string;
  code: number;
  seconds: number;
  /** Of processor time, that of all processes. */
  cpuSeconds: number;
  /** As `test/FILE: (fail) NAME`. */
  failures: string[];
}

/** Reads what `bun test` says line by line. */
class Reader {
  readonly lines: string[] = [];
  readonly failures: string[] = [];
  readonly files = new Set<string>();
  readonly #lane: string;
  /** It tells all failures once more at its end. */
  #isSummary = false;
  #file = "";
  #rest = "";
  /** Since the last test that passed: what the next one to fail has to say. */
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
  // Some tests give up root's rights.
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

/** Runs them side by side. */
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
