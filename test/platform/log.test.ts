/** What the log has said when the process is killed. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Says lines, ends its turn, holds its event loop so that no timer runs, and is killed. Gives what came out. */
async function killedAfter(statements: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-log-"));
  const file = join(folder, "log");
  const source = `
    import { openSync } from "node:fs";
    import { gatheringLog } from ${JSON.stringify(join(import.meta.dir, "../../src/platform/log.ts"))};
    const log = gatheringLog("info", openSync(${JSON.stringify(file)}, "w"));
    ${statements}
    await Promise.resolve();
    Bun.sleepSync(1_000);
    process.kill(process.pid, "SIGKILL");
  `;
  try {
    const child = Bun.spawn([process.execPath, "-e", source], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
    });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    return readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line).msg]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a warning is out at the end of its turn, with the lines before it; others are gathered", async () => {
  expect(await killedAfter(`log.info("first"); log.warn("said once"); log.error("and this");`)).toEqual([
    "first",
    "said once",
    "and this",
  ]);
  expect(await killedAfter(`log.child({ route: "a" }).warn("of a child");`)).toEqual(["of a child"]);
  expect(await killedAfter(`log.info("gathered");`)).toEqual([]);
});

test("a warning that comes while another is written follows it at once", async () => {
  // The first write has begun; the second line comes before its end is told.
  const later = `log.warn("one"); await Promise.resolve(); log.warn("two"); await Bun.sleep(100);`;
  expect(await killedAfter(later)).toEqual(["one", "two"]);
});
