/** Builds a static apt repository from the packages in its `pool`; any web server can serve it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { debianArchitectures } from "./debian-package.ts";
import { must } from "./must.ts";

const suite = "stable";
const component = "main";
/**
 * How long apt accepts the index: an older one was held back. A new release, or a fresh signature, comes sooner than
 * this.
 */
const validDays = 365;
const dayMs = 86_400_000;

export interface AptRepository {
  /** Contains `pool`, and receives `dists`. */
  folder: string;
  madeAt: Date;
  /** File of an OpenPGP secret key without a password; null leaves the repository unsigned. */
  key: string | null;
}

/** In the format apt reads. */
const rfc2822 = (at: Date) => at.toUTCString().replace("GMT", "UTC");

/** Writes the indexes, and signs them. Returns the key's fingerprint, or null. */
export async function aptRepository({ folder, madeAt, key }: AptRepository): Promise<string | null> {
  const dist = join(folder, "dists", suite);
  for (const architecture of debianArchitectures) {
    const place = join(dist, component, `binary-${architecture}`);
    mkdirSync(place, { recursive: true });
    const index = await must(["apt-ftparchive", "--arch", architecture, "packages", "pool"], folder);
    writeFileSync(join(place, "Packages"), index);
    writeFileSync(join(place, "Packages.gz"), gzipSync(index, { level: 9 }));
  }
  const sums = await must(["apt-ftparchive", "-o", "APT::FTPArchive::DoByHash=false", "release", dist], folder);
  if (key === null) {
    writeFileSync(join(dist, "Release"), releaseOf(sums, madeAt, null));
    return null;
  }
  const keyring = mkdtempSync(join(tmpdir(), "peyk-gpg-"));
  try {
    return await sign(keyring, key, (fingerprint) => releaseOf(sums, madeAt, fingerprint), { dist, folder });
  } finally {
    await must(["gpgconf", "--homedir", keyring, "--kill", "all"], folder);
    removeKeyring(keyring);
  }
}

const removalsMax = 100;

/** The agent that was told to end removes its sockets meanwhile, and a removal that misses a file may leave the rest. */
function removeKeyring(keyring: string): void {
  for (let count = 0; existsSync(keyring) && count < removalsMax; count += 1) {
    rmSync(keyring, { recursive: true, force: true });
  }
}

/** apt-ftparchive's own timestamps are left out, so that two builds of one commit are identical. */
function releaseOf(sums: string, madeAt: Date, fingerprint: string | null): string {
  const lists = sums.slice(sums.search(/^(MD5Sum|SHA1|SHA256):/m));
  const validUntil = new Date(madeAt.getTime() + validDays * dayMs);
  const signedBy = fingerprint === null ? "" : `Signed-By: ${fingerprint}\n`;
  return `Origin: Peyk
Label: Peyk
Suite: ${suite}
Codename: ${suite}
Date: ${rfc2822(madeAt)}
Valid-Until: ${rfc2822(validUntil)}
Architectures: ${debianArchitectures.join(" ")}
Components: ${component}
${signedBy}${lists}`;
}

async function sign(
  keyring: string,
  key: string,
  release: (fingerprint: string) => string,
  { dist, folder }: { dist: string; folder: string },
): Promise<string> {
  const gpg = (...words: string[]) =>
    must(["gpg", "--homedir", keyring, "--batch", "--yes", "--quiet", ...words], folder);
  await gpg("--import", key);
  const listed = await gpg("--list-secret-keys", "--with-colons");
  const fingerprint = /^fpr:+([0-9A-F]{40}):/m.exec(listed)?.[1];
  if (fingerprint === undefined) throw new Error(`${key} holds no secret key`);
  writeFileSync(join(dist, "Release"), release(fingerprint));
  await gpg("--clearsign", "--digest-algo", "SHA512", "--output", join(dist, "InRelease"), join(dist, "Release"));
  await gpg(
    "--armor",
    "--detach-sign",
    "--digest-algo",
    "SHA512",
    "--output",
    join(dist, "Release.gpg"),
    join(dist, "Release"),
  );
  await gpg("--output", join(folder, "peyk-archive-keyring.gpg"), "--export", fingerprint);
  return fingerprint;
}
