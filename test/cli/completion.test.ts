/** The completion scripts in their shells; a shell that is not installed is skipped. */
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function scriptFile(shell: string): Promise<string> {
  const { code, out, err } = await runCli(["completion", shell]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const path = join(folder.path, `peyk.${shell}`);
  writeFileSync(path, out);
  return path;
}

function linesFrom(command: readonly string[]): string[] {
  const env = { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path };
  const run = Bun.spawnSync([...command], { cwd: folder.path, env, stdout: "pipe", stderr: "pipe" });
  expect(run.stderr.toString()).toBe("");
  return run.stdout.toString().split("\n").filter(Boolean);
}

/** Words before the cursor, the last one unfinished, and the completions in any order. */
const cases: readonly (readonly [words: readonly string[], completions: readonly string[]])[] = [
  [["acc"], ["account"]],
  [
    ["webhook", ""],
    ["create", "list", "show", "update", "test", "remove", "deliveries", "replay", "rotate-secret", "--help"],
  ],
  [["key", "rotate", "key_7", "--g"], ["--grace"]],
  [["--json", "account", "cr"], ["create"]],
  [["key", "list", "--account", ""], []],
];

function expectCompletions(completionsOf: (words: readonly string[]) => string[]): void {
  for (const [words, completions] of cases) {
    expect([words, completionsOf(words).sort()]).toEqual([words, completions.toSorted()]);
  }
}

describe("peyk completion", () => {
  testWith("bash")("completes commands and options in bash, and leaves values to file completion", async () => {
    const script = await scriptFile("bash");
    expectCompletions((words) => {
      const line = `COMP_WORDS=(peyk "$@"); COMP_CWORD=$#; _peyk; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return linesFrom(["bash", "--norc", "-c", `source ${script}; ${line}`, "bash", ...words]);
    });
  });

  testWith("zsh")("completes commands and options in zsh, and leaves values to file completion", async () => {
    const script = await scriptFile("zsh");
    expectCompletions((words) => {
      // compadd works only inside the line editor, so its arguments are filtered here in the same way.
      const setup = `compdef() {}; _files() {}; source ${script}; words=(peyk "$@"); CURRENT=$(( $# + 1 ))`;
      const compadd = `compadd() { shift; print -l -- \${(M)@:#\${words[CURRENT]}*}; }`;
      return linesFrom(["zsh", "-f", "-c", `${setup}; ${compadd}; _peyk`, "zsh", ...words]);
    });
  });

  testWith("fish")("completes commands and options in fish, with their descriptions", async () => {
    const script = await scriptFile("fish");
    const completed = (line: string) =>
      linesFrom(["fish", "--no-config", "-c", `source ${script}; complete -C '${line}'`]);
    expect(completed("peyk acc")[0]).toStartWith("account\tcustomers of this service");
    expect(completed("peyk webhook ").map((line) => line.split("\t")[0])).toEqual([
      "create",
      "deliveries",
      "list",
      "remove",
      "replay",
      "rotate-secret",
      "show",
      "test",
      "update",
    ]);
    expect(completed("peyk key rotate key_7 --g")).toEqual([expect.stringContaining("--grace\t")]);
    expect(completed("peyk key list --account x")).toEqual([]);
  });

  test("refuses an unknown shell", async () => {
    expect(await runCli(["completion", "tcsh"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("bash, zsh, fish"),
    });
  });

  test("leaves out the commands that only the installer uses", async () => {
    expect((await runCli(["completion", "bash"])).out).not.toContain("system");
  });
});
