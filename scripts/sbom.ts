/**
 * The contents of a binary as CycloneDX 1.6: every package that the bundler includes, with its licence and hash, and
 * Bun with everything it links.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeParts } from "./runtime-parts.ts";
import { type InsidePackage, packagesInside } from "./third-party.ts";

const root = join(import.meta.dir, "..");

/** An entry of `packages` in bun.lock: `name@version`, its source, its dependencies, the integrity. */
type LockedPackage = [id: string, from: string, needs: object, integrity: string];

interface Component {
  type: "library" | "framework";
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  externalReferences?: { type: "vcs"; url: string }[];
  hashes?: { alg: string; content: string }[];
  licenses: { expression: string }[];
}

/** The integrity of each `name@version`. bun.lock is JSON with trailing commas. */
function lockedIntegrities(): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, "bun.lock"), "utf8");
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(text.replaceAll(/,(\s*[\]}])/g, "$1"));
  return new Map(Object.values(packages).map(([id, , , integrity]) => [id, integrity]));
}

function componentOf({ name, version, licence }: InsidePackage, integrity: string | undefined): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest = ""] = (integrity ?? "").split("-");
  const hash = { alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") };
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(algorithm === "sha512" && { hashes: [hash] }),
    licenses: [{ expression: licence }],
  };
}

function runtimeComponents(): Component[] {
  const purl = `pkg:github/oven-sh/bun@${Bun.version}`;
  return runtimeParts.map(({ name, source, licence }) =>
    name === "bun"
      ? { type: "framework", "bom-ref": purl, name, version: Bun.version, purl, licenses: [{ expression: licence }] }
      : {
          type: "library",
          "bom-ref": `${purl}#${name.replaceAll(" ", "-")}`,
          name,
          externalReferences: [{ type: "vcs", url: source }],
          licenses: [{ expression: licence }],
        },
  );
}

/**
 * The bill of materials as text. The same sources give the same text, so it contains no time and no random serial
 * number.
 */
export async function sbom(version: string): Promise<string> {
  const integrities = lockedIntegrities();
  const packages = (await packagesInside()).map((one) =>
    componentOf(one, integrities.get(`${one.name}@${one.version}`)),
  );
  const peyk = {
    type: "application",
    "bom-ref": "peyk",
    name: "peyk",
    version,
    licenses: [{ expression: "Apache-2.0" }],
  };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: peyk },
    components: [...runtimeComponents(), ...packages],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
