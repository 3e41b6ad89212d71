/** The oldest build whose data and settings every later one must take over: made from its own sources, packages and build script. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Kept as an archive, since a clone need not have the history. `git archive 553085a` made it. */
const archive = join(import.meta.dir, "../fixtures/sources-553085a.tar.zst");

export async function firstBuild(outfile: string): Promise<void> {
  const sources = mkdtempSync(join(tmpdir(), "peyk-first-build-"));
  try {
    await run(["tar", "-x"], sources, Bun.zstdDecompressSync(readFileSync(archive)));
    await run([process.execPath, "install", "--production", "--frozen-lockfile", "--ignore-scripts"], sources);
    await run([process.execPath, "scripts/build.ts"], sources);
    copyFileSync(join(sources, "dist/peyk"), outfile);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

async function run(command: string[], cwd: string, input?: Uint8Array): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdin: input ?? "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${said}`);
}
