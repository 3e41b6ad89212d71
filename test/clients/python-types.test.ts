/** What mypy says about the Python library and the examples of its README, with every check on: nothing. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { clientFolder, output, writeExamples } from "../support/client-packages.ts";

const checkers = ["mypy==2.4.1", "httpx==0.28.1"];
/** Kept for the next run, as the Debian of test/support/machine.ts is: to install them takes five seconds. */
const kept = `/var/tmp/peyk-test-mypy/${Bun.hash.crc32(checkers.join()).toString(16)}`;
const folder = clientFolder();
afterAll(folder.remove);

/** The path of mypy. */
async function checker(): Promise<string> {
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const unfinished = mkdtempSync(`${kept}.`);
    await output(["python3", "-m", "venv", unfinished], { cwd: unfinished });
    await output(["bin/pip", "install", "--quiet", ...checkers], { cwd: unfinished });
    // Whoever was first is kept.
    if (existsSync(kept)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, kept);
  }
  return join(kept, "bin", "python3");
}

test.skipIf(Bun.which("python3") === null)(
  "mypy --strict finds nothing in the Python library and its README's examples (wants python3)",
  async () => {
    const cwd = folder.path;
    // Its own script names the folder in which it was installed.
    const mypy = [await checker(), "-m", "mypy", "--strict"];
    const source = join(import.meta.dir, "..", "..", "clients", "python", "src");
    const examples = writeExamples("python", "python", cwd, ".py");
    expect(examples.length).toBe(4);
    const env = { MYPYPATH: source };
    const said = await output([...mypy, "-p", "peyk_client"], { cwd, env });
    expect(said).toStartWith("Success: no issues found in ");
    for (const example of examples) await output([...mypy, example], { cwd, env });
  },
  300_000,
);
