/**
 * `bun run release [--key FILE]`: the binaries of every platform, each built again from a clone in another folder and compared, with the
 * installer, a bill of materials and checksums; signed where the releaser's secret key is given.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json" with { type: "json" };
import { build, checksumLine, commitOf } from "./build.ts";
import { sbom } from "./sbom.ts";
import { assertSignable, sign } from "./sign.ts";

const root = join(import.meta.dir, "..");

const targets: Readonly<Record<string, string>> = {
  "peyk-linux-x64": "bun-linux-x64",
  // For processors without AVX2.
  "peyk-linux-x64-baseline": "bun-linux-x64-baseline",
  "peyk-linux-arm64": "bun-linux-arm64",
};

export interface Release {
  folder: string;
  /** What two builds of one commit do not have in common; empty when they are equal. */
  differences: readonly string[];
}

export async function release(folder = join(root, "dist", "release")): Promise<Release> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const elsewhere = mkdtempSync(join(tmpdir(), "peyk-release-"));
  const differences: string[] = [];
  try {
    const sources = await clone(join(elsewhere, "a", "clone", "of", "peyk"));
    for (const [name, target] of Object.entries(targets)) {
      const file = await build({ target, outfile: join(folder, name) });
      const again = await build({ target, sources, outfile: join(elsewhere, name) });
      const difference = firstDifference(readFileSync(file), readFileSync(again));
      if (difference !== null) differences.push(`${name}: ${difference}`);
    }
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  rmSync(join(folder, "SHA256SUMS"));
  copyFileSync(join(root, "install.sh"), join(folder, "install.sh"));
  writeFileSync(join(folder, "sbom.cdx.json"), await sbom(version));
  writeFileSync(join(folder, "SHA256SUMS"), checksums(folder));
  return { folder, differences };
}

/** This commit in another folder, with packages of its own, as whoever rebuilds a release has it. */
async function clone(folder: string): Promise<string> {
  await must(["git", "clone", "--quiet", "--no-hardlinks", root, folder], root);
  await must([process.execPath, "install", "--frozen-lockfile", "--silent"], folder);
  return folder;
}

async function must(command: string[], cwd: string): Promise<void> {
  const code = await Bun.spawn(command, { cwd, stdin: "ignore", stdout: "inherit", stderr: "inherit" }).exited;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
}

function firstDifference(one: Uint8Array, other: Uint8Array): string | null {
  if (one.length !== other.length) return `two builds have ${one.length} and ${other.length} bytes`;
  const count =
    Buffer.compare(one, other) === 0 ? 0 : one.reduce((sum, byte, at) => sum + (byte === other[at] ? 0 : 1), 0);
  return count === 0
    ? null
    : `two builds differ in ${count} bytes, first at ${one.findIndex((byte, at) => byte !== other[at])}`;
}

/** As `sha256sum` writes and checks them. */
function checksums(folder: string): string {
  const names = readdirSync(folder).sort();
  return names.map((name) => checksumLine(join(folder, name))).join("");
}

if (import.meta.main) {
  const { key } = parseArgs({ options: { key: { type: "string" } } }).values;
  // Before six builds.
  if (key !== undefined) assertSignable();
  if (commitOf(root) === null) {
    console.error("A release is built from a commit: commit or remove what has changed here.");
    process.exit(1);
  }
  const { folder, differences } = await release();
  console.log(`peyk ${version} in ${folder}:\n${readFileSync(join(folder, "SHA256SUMS"), "utf8")}`);
  console.log(
    differences.length === 0 ? "Each was built twice, in two folders, and both were equal." : differences.join("\n"),
  );
  const sums = join(folder, "SHA256SUMS");
  console.log(
    key === undefined ? "Not signed: no --key was given." : `Signed: ${await sign(sums, key, `peyk ${version}`)}`,
  );
}
