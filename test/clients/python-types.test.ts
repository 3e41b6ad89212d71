/** What mypy says about the Python library and the examples of its README, with every check on: nothing. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { clientFolder, output, writeExamples } from "../support/client-packages.ts";

const checkers = ["mypy==2.4.1", "httpx==0.28.1"];
const folder = clientFolder();
afterAll(folder.remove);

test.skipIf(Bun.which("python3") === null)(
  "mypy --strict finds nothing in the Python library and its README's examples (wants python3)",
  async () => {
    const cwd = folder.path;
    await output(["python3", "-m", "venv", "venv"], { cwd });
    await output(["venv/bin/pip", "install", "--quiet", ...checkers], { cwd });
    const source = join(import.meta.dir, "..", "..", "clients", "python", "src");
    const examples = writeExamples("python", "python", cwd, ".py");
    expect(examples.length).toBe(4);
    const env = { MYPYPATH: source };
    const said = await output(["venv/bin/mypy", "--strict", "-p", "peyk_client"], { cwd, env });
    expect(said).toStartWith("Success: no issues found in ");
    for (const example of examples) await output(["venv/bin/mypy", "--strict", example], { cwd, env });
  },
  300_000,
);
