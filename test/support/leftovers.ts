/**
 * Loaded before every test file. Each run gets a temporary folder of its own, and fails with the name of any file that
 * leaves a file or a process behind. Tests wait for events, with timeouts that suit a busy machine.
 */
import { afterAll, afterEach, beforeAll, beforeEach, setDefaultTimeout } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const run = mkdtempSync(join(tmpdir(), "peyk-run-"));
// Some tests drop root privileges.
chmodSync(run, 0o755);
process.env.TMPDIR = run;
/** The regular expression checker keeps a helper process, which ends with this one. */
const endsByItself = /\/recheck agent$/;
/** For processes that were told to exit, which takes a while on a busy machine. */
const endingMsMax = 15_000;

// In a single-process run this only reaches the first file; the scripts in package.json pass --timeout as well.
setDefaultTimeout(180_000);

/** What has been left so far, and the first test file after which it existed. */
const madeBy = new Map<string, string>();

/** Folders and files of the run, and processes started by this one. */
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

/** Null if it has exited. */
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

// With --rerun-each, every repetition of the last file ends with `afterAll`, but not every one begins with `beforeAll`.
const makeFolder = () => void mkdirSync(run, { recursive: true, mode: 0o755 });
beforeAll(makeFolder);
beforeEach(makeFolder);
afterEach(note);

afterAll(async () => {
  const deadline = performance.now() + endingMsMax;
  while (processes().length > 0 && performance.now() < deadline) await Bun.sleep(20);
  const left = present().map((name) => `${madeBy.get(name) ?? currentFile()} left ${name}`);
  // A failed test may not have reached its end: what it started ends here.
  for (const { pid } of children()) process.kill(Number(pid), "SIGKILL");
  rmSync(run, { recursive: true, force: true });
  // The process may run another file, whose modules are loaded before `beforeAll`; scripts/test-lanes.ts removes the
  // folder.
  if (process.env.BUN_TEST_WORKER_ID !== undefined) makeFolder();
  madeBy.clear();
  if (left.length > 0) throw new Error(`A test leaves nothing behind:\n${left.join("\n")}`);
}, 2 * endingMsMax);
