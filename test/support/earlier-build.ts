/**
 * Earlier builds whose data and settings every later one must accept: built from their own sources, packages and build
 * script.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Commits, oldest first. */
export const earlierBuilds = ["553085a", "04fa596", "b736f83d"] as const;
export type EarlierBuild = (typeof earlierBuilds)[number];

/**
 * Kept as archives, because a clone may lack the history. Made with `git archive COMMIT src migrations scripts/build.ts
 * systemd install.sh docs/verify-signature.md package.json bun.lock tsconfig.json | zstd --ultra -22`.
 */
const archiveOf = (commit: EarlierBuild) => join(import.meta.dir, `../fixtures/sources-${commit}.tar.zst`);

export async function makeEarlierBuild(commit: EarlierBuild, outfile: string): Promise<void> {
  const sources = mkdtempSync(join(tmpdir(), "peyk-earlier-build-"));
  try {
    await run(["tar", "-x"], sources, Bun.zstdDecompressSync(readFileSync(archiveOf(commit))));
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
