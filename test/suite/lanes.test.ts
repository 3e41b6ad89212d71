/** The suite's own report: each failure is named, also one that is not a test's, and each test file belongs to a lane. */
import { expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { filesByLane, lanes } from "../../scripts/lanes.ts";
import { LaneReader, type LaneResult, repeatFailed } from "../../scripts/test-lanes.ts";

const head = 'import { afterAll, expect, test } from "bun:test";\n';
const files: Readonly<Record<string, string>> = {
  "fine.test.ts": `${head}test("passes", () => {});`,
  "wrong.test.ts": `${head}test("passes", () => {});\ntest("is wrong", () => expect(1).toBe(2));`,
  "hook.test.ts": `${head}test("passes", () => {});\nafterAll(() => { throw new Error("left something"); });`,
  "load.test.ts": `${head}throw new Error("does not load");`,
  "killed.test.ts": `${head}test("is killed", async () => { process.kill(process.pid, "SIGKILL"); await Bun.sleep(9_999); });`,
};

/** What the reader makes of a run of these files, in two processes. */
async function readRun(names: readonly string[]): Promise<{ reader: LaneReader; said: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-lane-"));
  for (const name of names) await Bun.write(join(folder, "test", name), files[name] ?? "");
  writeFileSync(join(folder, "package.json"), "{}");
  const said: string[] = [];
  const log = spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  try {
    const command = [process.execPath, "test", "--parallel=2", "--no-isolate"];
    const run = Bun.spawn(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command], { cwd: folder, stdout: "pipe" });
    const reader = new LaneReader("parts");
    await reader.read(run.stdout);
    await run.exited;
    return { reader, said };
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
}

test("a lane's report names each failure: of a test, a hook, a file that does not load, and a killed process", async () => {
  const { reader, said } = await readRun(Object.keys(files));
  // Of several processes Bun does not always say whose error it is.
  const nameOf = (line: string) => line.replace(/ \[.*/, "").replace(/^.*(?=# Unhandled)/, "");
  expect(reader.failures.map(nameOf).sort()).toEqual([
    "# Unhandled error between tests",
    "test/hook.test.ts: (fail) (unnamed)",
    "test/killed.test.ts: ✗ test/killed.test.ts (worker crashed: SIGKILL)",
    "test/wrong.test.ts: (fail) is wrong",
  ]);
  expect(reader.counts).toEqual({ pass: 3, fail: 4 });
  expect(said.join("\n")).toContain("left something");
});

test("a lane without failures reports none", async () => {
  const { reader, said } = await readRun(["fine.test.ts"]);
  expect({ failures: reader.failures, counts: reader.counts, said }).toEqual({
    failures: [],
    counts: { pass: 1, fail: 0 },
    said: [],
  });
});

test("each test file belongs to one lane, and each lane has files", () => {
  const byLane = filesByLane();
  expect(byLane.get("")).toBeUndefined();
  for (const lane of Object.keys(lanes))
    expect({ lane, files: byLane.get(lane)?.length ?? 0 }).not.toEqual({ lane, files: 0 });
});

const resultWith = (failures: readonly string[]): LaneResult => {
  const counts = { code: failures.length === 0 ? 0 : 1, passed: 2, failed: failures.length };
  return { lane: "parts", seconds: 1, cpuSeconds: 1, ...counts, failures, unsteady: [], files: new Map() };
};

test("a file that failed runs once more: what passes is unsteady; what fails again, or was no accident, has failed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "peyk-again-"));
  const failureIn = async (name: string) => {
    await Bun.write(join(folder, name), files[name] ?? "");
    return `test/${relative("test", join(folder, name))}: (fail) is wrong`;
  };
  const [steady, wrong] = [await failureIn("fine.test.ts"), await failureIn("wrong.test.ts")];
  const fine = resultWith([]);
  const unknown = resultWith([": # Unhandled error between tests"]);
  const many = resultWith(["a", "b", "c", "d", "e"].map((name) => steady.replace("fine", name)));
  const log = spyOn(console, "log").mockImplementation(() => {});
  try {
    expect(await repeatFailed([fine, resultWith([steady]), resultWith([wrong])])).toEqual([
      fine,
      { ...resultWith([]), passed: 3, unsteady: [steady] },
      resultWith([wrong]),
    ]);
    expect(log).toHaveBeenCalledWith(expect.stringContaining("once more"));
    log.mockClear();
    expect(await repeatFailed([unknown])).toEqual([unknown]);
    expect(await repeatFailed([many])).toEqual([many]);
    expect(log).not.toHaveBeenCalledWith(expect.stringContaining("once more"));
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
