/**
 * Builds of Peyk for the upgrade tests: the current one, and modified ones made from the same sources by the same
 * compiler.
 */
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, checksumLine } from "../../scripts/build.ts";

const root = join(import.meta.dir, "../..");

/** Copies this repository's build to the new folder `folder` as `peyk`, with its SHA256SUMS. Run `bun run build` first. */
export function copyBuild(folder: string): void {
  const copy = join(folder, "peyk");
  copyFileSync(join(root, "dist", "peyk"), copy);
  writeFileSync(join(folder, "SHA256SUMS"), checksumLine(copy));
}

/** The sources of another build, for changes before compilation. */
export interface Sources {
  version(version: string): void;
  /** Adds a migration after all existing ones. */
  migration(name: string, sql: string): void;
  /** Replaces text that must occur in `file`. */
  change(file: string, before: string, after: string): void;
}

/** Compiles this repository's sources, modified by `change`, to `outfile`; without bytecode, which takes longest. */
export async function otherBuild(outfile: string, change: (sources: Sources) => void): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), "peyk-build-"));
  try {
    copySources(copy);
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    change(sourcesIn(copy));
    await build({ sources: copy, outfile, bytecode: false });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Everything a build reads, except its packages. */
export function copySources(folder: string): void {
  const names = ["src", "migrations", "systemd", "scripts", "docs", "package.json", "tsconfig.json", "install.sh"];
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true });
}

function sourcesIn(copy: string): Sources {
  let added = 0;
  const sources: Sources = {
    change(file, before, after) {
      const path = join(copy, file);
      const text = readFileSync(path, "utf8");
      if (!text.includes(before)) throw new Error(`${file} does not hold ${before}`);
      writeFileSync(
        path,
        text.replace(before, () => after),
      );
    },
    version(version) {
      const path = join(copy, "package.json");
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), version }));
    },
    migration(name, sql) {
      const list = "src/store/migrations.ts";
      const known = readFileSync(join(root, list), "utf8").match(/\{ number: \d+,/g)?.length ?? 0;
      added += 1;
      const entry = JSON.stringify({ number: known + added, name, sql });
      sources.change(list, "\n];", `\n  ${entry},\n];`);
    },
  };
  return sources;
}
