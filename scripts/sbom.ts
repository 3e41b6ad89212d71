/** What is inside a binary, as CycloneDX 1.6: every package that bun.lock pins for running, with its licence and hash, and Bun itself. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

interface Needs {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalPeers?: string[];
}

/** An entry of `packages` in bun.lock: `name@version`, where from, what it needs, the integrity. */
type LockedPackage = [id: string, from: string, needs: Needs, integrity: string];

interface Lockfile {
  workspaces: { "": { dependencies: Record<string, string> } };
  packages: Record<string, LockedPackage>;
}

interface Component {
  type: "library" | "framework";
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: { expression: string }[];
}

/** bun.lock is JSON with commas before closing brackets. */
function readLockfile(): Lockfile {
  const text = readFileSync(join(root, "bun.lock"), "utf8");
  return JSON.parse(text.replaceAll(/,(\s*[\]}])/g, "$1"));
}

/** The names in `packages` of everything that is needed for running; a nested `parent/child` stands before a common `child`. */
function needed({ workspaces, packages }: Lockfile): string[] {
  const found = new Set<string>();
  const visit = (name: string, parent: string) => {
    const place = [`${parent}/${name}`, name].find((candidate) => candidate in packages);
    const entry = place === undefined ? undefined : packages[place];
    if (place === undefined || entry === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies = {}, peerDependencies = {}, optionalPeers = [] } = entry[2];
    const peers = Object.keys(peerDependencies).filter((peer) => !optionalPeers.includes(peer));
    for (const dependency of [...Object.keys(dependencies), ...peers]) visit(dependency, place);
  };
  for (const name of Object.keys(workspaces[""].dependencies)) visit(name, "");
  return [...found].sort();
}

function componentOf(place: string, [id, , , integrity]: LockedPackage): Component {
  const at = id.lastIndexOf("@");
  const [name, version] = [id.slice(0, at), id.slice(at + 1)];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest] = integrity.split("-");
  const hash = { alg: "SHA-512", content: Buffer.from(digest ?? "", "base64").toString("hex") };
  const license = licenseOf(place);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(algorithm === "sha512" && { hashes: [hash] }),
    ...(license !== null && { licenses: [{ expression: license }] }),
  };
}

/** `parent/@scope/child` in the lockfile is `parent/node_modules/@scope/child` on disk. */
function licenseOf(place: string): string | null {
  const names = place.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
  const manifest = join(root, "node_modules", names.join("/node_modules/"), "package.json");
  if (!existsSync(manifest)) return null;
  const { license } = JSON.parse(readFileSync(manifest, "utf8"));
  return typeof license === "string" ? license : null;
}

/** The bill of materials as text: the same for the same lockfile, so it holds no time and no random serial number. */
export function sbom(version: string): string {
  const lockfile = readLockfile();
  const runtime: Component = {
    type: "framework",
    "bom-ref": `pkg:github/oven-sh/bun@${Bun.version}`,
    name: "bun",
    version: Bun.version,
    purl: `pkg:github/oven-sh/bun@${Bun.version}`,
    licenses: [{ expression: "MIT" }],
  };
  const packages = needed(lockfile).flatMap((place) => {
    const entry = lockfile.packages[place];
    return entry === undefined ? [] : [componentOf(place, entry)];
  });
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "peyk",
        name: "peyk",
        version,
        licenses: [{ expression: "Apache-2.0" }],
      },
    },
    components: [runtime, ...packages],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
