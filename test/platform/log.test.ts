/** What the log has written when the process is killed. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorPriority, withPriority } from "../../src/platform/journal.ts";

/** Writes lines, ends its turn, blocks its event loop, and is killed; what is collected is never flushed. Returns the output. */
async function killedAfter(statements: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-log-"));
  const file = join(folder, "log");
  const source = `
    import { openSync, readFileSync } from "node:fs";
    import { gatheringLog } from ${JSON.stringify(join(import.meta.dir, "../../src/platform/log.ts"))};
    globalThis.setInterval = () => ({ unref() {} });
    const lines = () => readFileSync(${JSON.stringify(file)}, "utf8").split("\\n").length - 1;
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

test("a warning is written at the end of its turn with the lines before it, and other lines are collected", async () => {
  expect(await killedAfter(`log.info("first"); log.warn("said once"); log.error("and this");`)).toEqual([
    "first",
    "said once",
    "and this",
  ]);
  expect(await killedAfter(`log.child({ route: "a" }).warn("of a child");`)).toEqual(["of a child"]);
  expect(await killedAfter(`log.info("gathered");`)).toEqual([]);
});

test("a warning that arrives during a write follows it at once", async () => {
  // The first write has started; the second line arrives before its end is reported.
  const later = `
    log.warn("one");
    await Promise.resolve();
    log.warn("two");
    for (const until = performance.now() + 10_000; lines() < 2 && performance.now() < until; ) await Bun.sleep(5);`;
  expect(await killedAfter(later)).toEqual(["one", "two"]);
});

/** The output of a process under systemd whose standard output is the journal's. */
async function journalOf(statements: string, isNamed = true): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-journal-"));
  const file = join(folder, "journal");
  const platform = (name: string) => JSON.stringify(join(import.meta.dir, "../../src/platform", name));
  const source = `
    import { fstatSync, openSync } from "node:fs";
    import { gatheringLog } from ${platform("log.ts")};
    const fd = openSync(${JSON.stringify(file)}, "w");
    const { dev, ino } = fstatSync(fd);
    const log = gatheringLog("trace", fd, \`\${dev}:\${ino${isNamed ? "" : " + 1"}}\`);
    ${statements}
    log.flush();
    await Bun.sleep(50);
  `;
  try {
    const child = Bun.spawn([process.execPath, "-e", source], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("each line begins with its priority in systemd's journal, and only there", async () => {
  const levels = ["trace", "debug", "info", "warn", "error", "fatal"];
  const lines = levels
    .map((level) => `log.${level}("said"); log.child({ route: "a" }).${level}("of a child");`)
    .join("");
  const written = await journalOf(lines);
  const priorities = written.map((line) => line.slice(0, 3));
  expect(priorities).toEqual(["<7>", "<7>", "<6>", "<4>", "<3>", "<3>"].flatMap((one) => [one, one]));
  expect(JSON.parse(written[6]?.slice(3) ?? "")).toMatchObject({ level: "warn", msg: "said" });
  expect((await journalOf(lines, false)).every((line) => line.startsWith("{"))).toBe(true);
});

test("a command's stderr is logged as errors, line by line", () => {
  expect(withPriority("peyk: The settings are wrong:\nthere is no setting lisen\n", errorPriority)).toBe(
    "<3>peyk: The settings are wrong:\n<3>there is no setting lisen\n",
  );
});
