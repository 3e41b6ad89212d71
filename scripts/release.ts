/**
 * `bun run release [--key FILE]`: the binaries of every platform, each built twice and compared, with the installer, a bill of materials
 * and checksums; signed where the releaser's secret key is given.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json" with { type: "json" };
import { build, checksumLine } from "./build.ts";
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
  const differences: string[] = [];
  for (const [name, target] of Object.entries(targets)) {
    const file = await build({ target, outfile: join(folder, name) });
    const again = await build({ target, outfile: join(folder, "again", name) });
    const difference = firstDifference(readFileSync(file), readFileSync(again));
    if (difference !== null) differences.push(`${name}: ${difference}`);
  }
  for (const leftover of ["again", "SHA256SUMS"]) rmSync(join(folder, leftover), { recursive: true });
  for (const map of readdirSync(folder).filter((name) => name.endsWith(".map"))) rmSync(join(folder, map));
  copyFileSync(join(root, "install.sh"), join(folder, "install.sh"));
  writeFileSync(join(folder, "sbom.cdx.json"), sbom(version));
  writeFileSync(join(folder, "SHA256SUMS"), checksums(folder));
  return { folder, differences };
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
  const { folder, differences } = await release();
  console.log(`peyk ${version} in ${folder}:\n${readFileSync(join(folder, "SHA256SUMS"), "utf8")}`);
  console.log(differences.length === 0 ? "Each was built twice, and both were equal." : differences.join("\n"));
  const sums = join(folder, "SHA256SUMS");
  console.log(
    key === undefined ? "Not signed: no --key was given." : `Signed: ${await sign(sums, key, `peyk ${version}`)}`,
  );
}
