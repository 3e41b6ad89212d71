/** A copy of what a run needs, in another folder. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dir, "..", "..");
const copied = [
  "src",
  "migrations",
  "docs",
  "test/fixtures",
  "test/simulation",
  "test/support",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
];

export function copyOfSources(): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "peyk-sources-"));
  for (const path of copied) cpSync(join(repository, path), join(root, path), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
