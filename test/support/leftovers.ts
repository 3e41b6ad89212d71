/**
 * Loaded before every test file. A run gets a temporary folder of its own, and fails by name where a file leaves something in it, or a
 * process. Tests wait for events, and longer than a busy machine takes.
 */
import { afterAll, afterEach, beforeAll, beforeEach, setDefaultTimeout } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const run = mkdtempSync(join(tmpdir(), "peyk-run-"));
// Some tests give up root's rights.
chmodSync(run, 0o755);
process.env.TMPDIR = run;
/** The checker of regular expressions keeps a helper, which ends with this process. */
const endsByItself = /\/recheck agent$/;
/** For processes that were told to end and take their time on a busy machine. */
const endingMsMax = 5_000;

// In a run of one process this reaches the first file only; the scripts of package.json say --timeout as well.
setDefaultTimeout(60_000);

/** What there is by now, and the test file that was the first to have it. */
const madeBy = new Map<string, string>();

/** Folders and files of the run, and processes that this one started. */
function present(): string[] {
  return [...readdirSync(run).map((name) => join(run, name)), ...processes()];
}

const processes = () => children().map(({ command }) => `a process: ${command}`);

function children(): { pid: string; command: string }[] {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  const all = pids.flatMap((pid) => {
    const command = commandOf(pid);
    return command === null ? [] : { pid, command };
  });
  return all.filter(({ command }) => !endsByItself.test(command));
}

/** Null for one that has ended. */
function commandOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() || null;
  } catch {
    return null;
  }
}

const currentFile = () => relative(join(import.meta.dir, "../.."), Bun.main);

function note(): void {
  for (const name of present()) if (!madeBy.has(name)) madeBy.set(name, currentFile());
}

// With --rerun-each every repetition of the last file ends with `afterAll`, and not every one begins with `beforeAll`.
const makeFolder = () => void mkdirSync(run, { recursive: true, mode: 0o755 });
beforeAll(makeFolder);
beforeEach(makeFolder);
afterEach(note);

afterAll(async () => {
  const deadline = performance.now() + endingMsMax;
  while (processes().length > 0 && performance.now() < deadline) await Bun.sleep(20);
  const left = present().map((name) => `${madeBy.get(name) ?? currentFile()} left ${name}`);
  // A test that failed may not have come to its end: what it began ends here.
  for (const { pid } of children()) process.kill(Number(pid), "SIGKILL");
  rmSync(run, { recursive: true, force: true });
  // The process may run another file, whose modules are read before `beforeAll`; scripts/test-lanes.ts removes the folder.
  if (process.env.BUN_TEST_WORKER_ID !== undefined) makeFolder();
  madeBy.clear();
  if (left.length > 0) throw new Error(`A test leaves nothing behind:\n${left.join("\n")}`);
}, 2 * endingMsMax);
