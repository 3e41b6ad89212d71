/**
 * `bun run release [--key FILE] [--apt-key FILE]`: the binaries of every platform, each rebuilt from a clone in another
 * folder and compared, with the installer, Debian packages in an apt repository, a container image, a bill of materials
 * and checksums; signed if the releaser's secret keys are given. `--renew-base` pins the image's Debian packages anew
 * instead.
 */
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json" with { type: "json" };
import { breakingChanges, lastReference, oasdiff, servedReference } from "./api-changes.ts";
import { aptRepository } from "./apt-repository.ts";
import { build, type Commit, checksumLine, commitOf } from "./build.ts";
import { debianPackage } from "./debian-package.ts";
import { renewBasePackages } from "./image/base-packages.ts";
import { ociImage } from "./image/oci-image.ts";
import { sbom } from "./sbom.ts";
import { assertSignable, sign } from "./sign.ts";

const root = join(import.meta.dir, "..");

const targets: Readonly<Record<string, string>> = {
  "peyk-linux-x64": "bun-linux-x64",
  // For processors without AVX2.
  "peyk-linux-x64-baseline": "bun-linux-x64-baseline",
  "peyk-linux-arm64": "bun-linux-arm64",
};
/** Unlike the installer, neither a package nor an image can refuse a processor. */
const portable = { amd64: "peyk-linux-x64-baseline", arm64: "peyk-linux-arm64" } as const;

const tools = { "dpkg-deb": "dpkg", "apt-ftparchive": "apt-utils", gpg: "gnupg" };

export interface Release {
  folder: string;
  /** Fingerprint of the key that signed the apt repository; null where it is unsigned. */
  aptFingerprint: string | null;
}

export async function release(
  commit: Commit,
  aptKey: string | null,
  folder = join(root, "dist", "release"),
): Promise<Release> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildTwice(folder);
  rmSync(join(folder, "SHA256SUMS"));
  const aptFingerprint = await packages(folder, commit, aptKey);
  await image(folder, commit);
  copyFileSync(join(root, "install.sh"), join(folder, "install.sh"));
  writeFileSync(join(folder, "sbom.cdx.json"), await sbom(version));
  writeFileSync(join(folder, "SHA256SUMS"), checksums(folder));
  return { folder, aptFingerprint };
}

/** Ends the release if a binary cannot be reproduced from its commit in another folder. */
async function buildTwice(folder: string): Promise<void> {
  const elsewhere = mkdtempSync(join(tmpdir(), "peyk-release-"));
  let difference: string | null = null;
  try {
    const sources = await clone(join(elsewhere, "a", "clone", "of", "peyk"));
    for (const [name, target] of Object.entries(targets)) {
      const file = await build({ target, outfile: join(folder, name) });
      const again = await build({ target, sources, outfile: join(elsewhere, name) });
      difference = firstDifference(readFileSync(file), readFileSync(again));
      if (difference !== null) {
        difference = `${name}: ${difference}`;
        break;
      }
    }
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  if (difference === null) return;
  rmSync(folder, { recursive: true });
  refuse(`No release was made, because nobody could reproduce it. ${difference}.`);
}

/** In the repository, and beside the binaries for those who do not use one. */
async function packages(folder: string, { date }: Commit, key: string | null): Promise<string | null> {
  const repository = join(folder, "apt");
  const pool = join(repository, "pool");
  mkdirSync(pool, { recursive: true });
  for (const architecture of ["amd64", "arm64"] as const) {
    const program = join(folder, portable[architecture]);
    const file = await debianPackage({ architecture, program, version, madeAt: new Date(date), folder: pool });
    linkSync(file, join(folder, file.slice(pool.length + 1)));
  }
  return aptRepository({ folder: repository, madeAt: new Date(date), key });
}

/** The layout stores layers that two images share only once: the archive contains it, and is self-contained. */
async function image(folder: string, { hash, date }: Commit): Promise<void> {
  const programs = { amd64: join(folder, portable.amd64), arm64: join(folder, portable.arm64) };
  await ociImage({
    programs,
    version,
    revision: hash,
    madeAt: new Date(date),
    folder: join(folder, `peyk-${version}-oci`),
  });
  const compose = readFileSync(join(root, "docs/examples/compose.yaml"), "utf8");
  writeFileSync(join(folder, "compose.yaml"), compose.replace(/(image: localhost\/peyk):\S+/, `$1:${version}`));
}

/** This commit in another folder with its own packages, as anyone rebuilding a release has it. */
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

/** Checksums of every file, as `sha256sum` writes and checks them; the image's layout is covered by its archive. */
function checksums(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  return files
    .sort()
    .map((name) => checksumLine(join(folder, name)))
    .join("");
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Ends the release if it breaks clients of the last one. */
async function refuseBrokenApi(program: string): Promise<void> {
  const tool = await oasdiff();
  if (tool === null) {
    console.log("Not compared with the last release's API: oasdiff wants Go.");
    return;
  }
  const place = mkdtempSync(join(tmpdir(), "peyk-api-"));
  try {
    const [before, after] = [await lastReference(place), await servedReference(place, "this-release", [program])];
    const changes = await breakingChanges(tool, before, after);
    if (changes.length > 0)
      refuse(`No release was made, because it breaks clients of the last one.\n${changes.join("\n")}`);
    console.log("The API breaks nothing that clients of the last release use.");
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function assertTools(): void {
  const missing = Object.entries(tools).filter(([program]) => Bun.which(program) === null);
  if (missing.length === 0) return;
  const [programs, names] = [missing.map(([program]) => program), missing.map(([, name]) => name)];
  refuse(`${programs.join(" and ")} are wanted for the packages: apt-get install ${names.join(" ")}`);
}

if (import.meta.main) {
  const text = { type: "string" } as const;
  const options = { key: text, "apt-key": text, "renew-base": { type: "boolean" } } as const;
  const { key, "apt-key": aptKey = null, "renew-base": isRenewal = false } = parseArgs({ options }).values;
  if (isRenewal) {
    const { packages: pinned } = await renewBasePackages(new Date());
    console.log(`Pinned anew:\n${pinned.map(({ path }) => path).join("\n")}\nCommit scripts/image/base-packages.json.`);
    process.exit(0);
  }
  // Checked before the six builds.
  assertTools();
  if (key !== undefined) assertSignable();
  const commit = commitOf(root) ?? refuse("A release is built from a commit: commit or remove what has changed here.");
  const { folder, aptFingerprint } = await release(commit, aptKey);
  await refuseBrokenApi(join(folder, portable.amd64));
  console.log(`peyk ${version} in ${folder}:\n${readFileSync(join(folder, "SHA256SUMS"), "utf8")}`);
  console.log("Each was built twice, in two folders, and both were equal.");
  const sums = join(folder, "SHA256SUMS");
  console.log(
    key === undefined ? "Not signed: no --key was given." : `Signed: ${await sign(sums, key, `peyk ${version}`)}`,
  );
  console.log(
    aptFingerprint === null
      ? "The repository for apt is not signed: no --apt-key was given. apt refuses it unless told to trust it."
      : `The repository for apt is signed by ${aptFingerprint}.`,
  );
}
