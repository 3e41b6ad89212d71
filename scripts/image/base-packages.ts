/** The Debian packages that the image is built from, pinned by hash and fetched from any mirror that still has them. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type DebianArchitecture, debianArchitectures } from "../debian-package.ts";
import { must } from "../must.ts";

const pinFile = join(import.meta.dir, "base-packages.json");
/** Cache of earlier downloads, which are identified by their hash. */
const kept = join(import.meta.dir, "../../node_modules/.cache/peyk-base");
/** As apt-get names them; architecture-independent packages are the same for all. */
const asked = [...debianArchitectures.map((one) => `libc6:${one}`), "ca-certificates"];

interface Pin {
  name: string;
  architectures: DebianArchitecture[];
  /** `debian` or `debian-security`. */
  archive: string;
  /** Relative to the archive. */
  path: string;
  sha256: string;
}

interface Pins {
  /** When they were pinned: snapshot.debian.org keeps the archives of that moment. */
  chosenAt: string;
  packages: Pin[];
}

export const readPins = (): Pins => JSON.parse(readFileSync(pinFile, "utf8"));

/** The files of the pinned packages, unpacked for `use` to read. */
export async function withBasePackages<T>(
  architecture: DebianArchitecture,
  use: (folder: string) => T | Promise<T>,
  pins = readPins(),
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-base-"));
  try {
    for (const pin of pins.packages.filter(({ architectures }) => architectures.includes(architecture))) {
      await must(["dpkg-deb", "-x", await fetched(pin, pins.chosenAt), folder], folder);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws if no mirror has it any more */
async function fetched(pin: Pin, chosenAt: string): Promise<string> {
  const file = join(kept, pin.sha256);
  if (existsSync(file) && sha256(readFileSync(file)) === pin.sha256) return file;
  for (const url of await placesOf(pin, chosenAt)) {
    const answer = await fetch(url).catch(() => null);
    const content = answer?.ok === true ? await answer.bytes() : null;
    if (content === null || sha256(content) !== pin.sha256) continue;
    mkdirSync(kept, { recursive: true });
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    return file;
  }
  throw new Error(
    `No mirror has ${basename(pin.path)} as it was pinned. Mirrors drop packages that newer ones replace: ` +
      "npx -y bun@1.4.5 run release --renew-base, then commit scripts/image/base-packages.json.",
  );
}

/** This machine's mirrors, Debian's own, and snapshot.debian.org. */
async function placesOf({ archive, path }: Pin, chosenAt: string): Promise<string[]> {
  const configured = await must(["apt-get", "indextargets", "--format", "$(REPO_URI)"], "/").catch(() => "");
  const mirrors = [...new Set(configured.split("\n"))].filter((uri) => /^https?:/.test(uri));
  const publicly = [
    `https://deb.debian.org/${archive}/`,
    `https://snapshot.debian.org/archive/${archive}/${chosenAt}/`,
  ];
  return [...mirrors, ...publicly].map((uri) => uri.replace(/\/?$/, "/") + encodeURI(path).replaceAll("+", "%2B"));
}

const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** Pins Debian's current packages as reported by apt, which verifies their signature. */
export async function renewBasePackages(now: Date): Promise<Pins> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-apt-"));
  try {
    for (const name of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, name), { recursive: true });
    const options = {
      "Dir::State::Lists": join(folder, "lists"),
      "Dir::Cache": join(folder, "cache"),
      "APT::Sandbox::User": "root",
    };
    const words = [
      ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
      ...debianArchitectures.flatMap((one) => ["-o", `APT::Architectures::=${one}`]),
    ];
    await must(["apt-get", ...words, "-qq", "update"], folder);
    const told = await Promise.all(
      asked.map((name) => must(["apt-get", ...words, "download", "--print-uris", name], folder)),
    );
    const packages = pinsIn(told.join("\n"));
    if (packages.length !== asked.length) throw new Error("Only Debian has these packages: renew the base on Debian.");
    const chosenAt = now
      .toISOString()
      .replace(/\.\d+Z$/, "Z")
      .replaceAll(/[-:]/g, "");
    const pins = { chosenAt, packages };
    // Lists on one line, as the formatter writes them.
    const text = JSON.stringify(pins, null, 2).replaceAll(/\[\s+("[^[\]{}]*")\s+\]/g, (_, items: string) => {
      return `[${items.replaceAll(/\s+/g, " ")}]`;
    });
    writeFileSync(pinFile, `${text}\n`);
    return pins;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Parses the output of `apt-get download --print-uris`. */
function pinsIn(told: string): Pin[] {
  const lines = [...told.matchAll(/^'\S+?\/(debian(?:-security)?)\/(pool\/\S+)' (\S+) \d+ SHA256:([0-9a-f]{64})$/gm)];
  const pins = new Map<string, Pin>();
  for (const [, archive = "", path = "", file = "", hash = ""] of lines) {
    const [name = "", , rest = ""] = file.split("_");
    const architecture = debianArchitectures.find((one) => rest.startsWith(one));
    const architectures = architecture === undefined ? [...debianArchitectures] : [architecture];
    pins.set(hash, { name, architectures, archive, path: decodeURIComponent(path), sha256: hash });
  }
  return [...pins.values()];
}
