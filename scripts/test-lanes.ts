/**
 * Runs test lanes side by side: each lane's output is printed whole when it ends, a failure immediately, and at the end
 * all failures and the slowest files. Files that fail are run once more, alone: what passes then is told as unsteady.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { filesByLane, type Lane, lanes } from "./lanes.ts";

// The same value as in test/support/leftovers.ts, which in a single-process run only reaches the first file.
export const testCommand = [process.execPath, "test", "--timeout=180000"];
const tellEveryMs = 30_000;
/** Of the output before a failure. */
const shownLinesMax = 60;
const slowestShown = 10;
/** With more files than this, something is broken. */
const repeatedFilesMax = 4;

export interface LaneResult {
  lane: string;
  code: number;
  seconds: number;
  /** Processor time of the tests and of the processes that they waited for. */
  cpuSeconds: number;
  passed: number;
  failed: number;
  /** In the form `test/FILE: (fail) NAME`. */
  failures: readonly string[];
  /** Failures that did not come again. */
  unsteady: readonly string[];
  /** Seconds by file. */
  files: ReadonlyMap<string, number>;
}

/** What fails without the name of a test: while a file is loaded, or with its process. */
const unnamedFailure = /^(# Unhandled error between tests|✗ (?<crashed>test\/\S+) \(.*\))$/;

/** Reads the output of `bun test` line by line. */
export class LaneReader {
  readonly lines: string[] = [];
  readonly failures: string[] = [];
  readonly files = new Set<string>();
  /** By the summary of `bun test`, which counts failed hooks as well. */
  readonly counts = { pass: 0, fail: 0 };
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
    const [, count, what] = /^ *(\d+) (pass|fail)$/.exec(line) ?? [];
    if (what === "pass" || what === "fail") this.counts[what] = Number(count);
    if (this.#isSummary) return;
    const unnamed = unnamedFailure.exec(line);
    if (unnamed === null && !line.startsWith("(fail)")) return;
    const failure = `${unnamed?.groups?.crashed ?? this.#file}: ${line}`;
    this.failures.push(failure);
    console.log(`FAILED  ${this.#lane}  ${failure}\n${this.#said.map((said) => `  ${said}`).join("\n")}`);
    this.#said = [];
  }
}

/** Seconds by file, as measured by the lane's latest run; with several processes, Bun starts the slowest first. */
function timingsOf(lane: string): { path: string; seconds: () => Map<string, number> } {
  const folder = join(import.meta.dir, "..", "dist");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `test-timings-${lane}.json`);
  const seconds = () => {
    const { files }: { files: Record<string, number> } = existsSync(path)
      ? JSON.parse(readFileSync(path, "utf8"))
      : { files: {} };
    return new Map(Object.entries(files).map(([file, ms]) => [file, ms / 1000]));
  };
  return { path, seconds };
}

const memoryFolder = "/dev/shm";
const roomBytes = 2 * 1024 ** 3;

/** Containers have 64 MB of it unless told. */
function hasRoomInMemory(): boolean {
  if (!existsSync(memoryFolder)) return false;
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize >= roomBytes && freemem() >= roomBytes;
}

async function runLane(lane: string, reader: LaneReader): Promise<LaneResult> {
  const startedAt = performance.now();
  const { processes = 1 } = laneOf(lane);
  const timings = timingsOf(lane);
  const tests = await runFiles(lane, reader, filesByLane().get(lane) ?? [], [
    ...(processes > 1 ? [`--parallel=${processes}`, "--no-isolate"] : []),
    ...[`--timings=${timings.path}`, "--update-timings"],
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`\n=== ${lane} ===\n${reader.lines.join("\n")}\n`);
  const { counts, failures } = reader;
  // A run that was killed has no summary.
  const failed = Math.max(counts.fail, failures.length, tests.code === 0 ? 0 : 1);
  const ran = [...timings.seconds()].filter(([file]) => reader.files.has(file));
  return { lane, ...tests, seconds, passed: counts.pass, failed, failures, unsteady: [], files: new Map(ran) };
}

const laneOf = (name: string): Partial<Lane> => lanes[name === "fast" ? "parts" : name] ?? {};

async function runFiles(lane: string, reader: LaneReader, files: readonly string[], options: readonly string[] = []) {
  const command = [...testCommand, ...options, ...files.map((file) => `./${file}`)];
  const { isInMemory = false } = laneOf(lane);
  const temporary = mkdtempSync(join(isInMemory && hasRoomInMemory() ? memoryFolder : tmpdir(), `peyk-${lane}-`));
  // Some tests drop root privileges.
  chmodSync(temporary, 0o755);
  // One pipe for both, so that lines stay in their order.
  const tests = Bun.spawn(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command], {
    env: { ...process.env, TMPDIR: temporary },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await reader.read(tests.stdout);
  const code = await tests.exited;
  rmSync(temporary, { recursive: true, force: true });
  return { code, cpuSeconds: Number(tests.resourceUsage()?.cpuTime.total ?? 0) / 1e6 };
}

/** The files of a lane's failures; null if one failure is of no known file. */
function failedFiles({ code, failures }: Pick<LaneResult, "code" | "failures">): string[] | null {
  if (code === 0) return [];
  const files = failures.map((failure) => /^(test\/\S+): /.exec(failure)?.[1] ?? null);
  const known = files.filter((file) => file !== null);
  return known.length === 0 || known.length < files.length ? null : [...new Set(known)];
}

/** Runs the files of a few failures once more, one lane's after another's; what passes then counts as passed. */
export async function repeatFailed(results: readonly LaneResult[]): Promise<LaneResult[]> {
  const failed = results.map((result) => failedFiles(result));
  const count = failed.reduce((sum, files) => sum + (files?.length ?? repeatedFilesMax + 1), 0);
  if (count > repeatedFilesMax) return [...results];
  const repeated: LaneResult[] = [];
  for (const [at, result] of results.entries()) repeated.push(await repeat(result, failed[at] ?? []));
  return repeated;
}

async function repeat(result: LaneResult, files: readonly string[]): Promise<LaneResult> {
  if (files.length === 0) return result;
  const { lane, passed, failed, failures } = result;
  console.log(`once more: ${files.join(", ")}`);
  const { code } = await runFiles(lane, new LaneReader(lane), files);
  if (code !== 0) return result;
  return { ...result, code, passed: passed + failed, failed: 0, failures: [], unsteady: failures };
}

/** Runs the lanes side by side. */
export async function runLanes(names: readonly string[]): Promise<LaneResult[]> {
  const readers = new Map(names.map((name) => [name, new LaneReader(name)]));
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

/** Prints the slowest files, and then a line with the count of all tests. */
export function tell(results: readonly LaneResult[]): void {
  const files = results.flatMap((result) => [...result.files]).sort(([, a], [, b]) => b - a);
  console.log("the slowest files:");
  for (const [file, seconds] of files.slice(0, slowestShown)) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
  const unsteady = results.flatMap((result) => result.unsteady);
  if (unsteady.length > 0) console.log("unsteady, failed beside others and passed alone:");
  for (const failure of unsteady) console.log(`  ${failure}`);
  const sum = (what: "passed" | "failed") => results.reduce((total, result) => total + result[what], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
}
