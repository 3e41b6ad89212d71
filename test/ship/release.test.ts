/** A release contains only binaries that anybody can rebuild. */
import { expect } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "../../scripts/must.ts";
import { testWith } from "../support/wants.ts";

const root = join(import.meta.dir, "../..");
const slow = 240_000;

/** A clone of this commit, in which `src/main.ts` contains the path of its build folder. */
async function cloneWithItsPath(place: string): Promise<string> {
  const clone = join(place, "peyk");
  await must(["git", "clone", "--quiet", "--no-hardlinks", root, clone], place);
  await must([process.execPath, "install", "--frozen-lockfile", "--silent"], clone);
  writeFileSync(join(clone, "src/built-in.ts"), "export const builtIn = () => process.cwd();\n");
  const main = join(clone, "src/main.ts");
  const macro = `import { builtIn } from "./built-in.ts" with { type: "macro" };\n`;
  writeFileSync(main, `${macro}${readFileSync(main, "utf8")}\nif (process.title === builtIn()) process.exit(3);\n`);
  await must(["git", "add", "--all"], clone);
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  await must(["git", ...who, "commit", "--quiet", "--message=Hold the path"], clone);
  return clone;
}

testWith("apt-ftparchive", "gpg")(
  "a binary that contains the path of its build machine ends the release with one sentence, and is removed",
  async () => {
    const place = mkdtempSync(join(tmpdir(), "peyk-release-test-"));
    try {
      const clone = await cloneWithItsPath(place);
      const run = Bun.spawn([process.execPath, "scripts/release.ts"], { cwd: clone, stdout: "pipe", stderr: "pipe" });
      const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
      expect({ code: await run.exited, out, err }).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /^No release was made, because nobody could reproduce it\. peyk-linux-x64: two builds .*\.\n$/m,
        ),
      });
      expect(existsSync(join(clone, "dist/release"))).toBe(false);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
  slow,
);
