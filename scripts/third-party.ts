/**
 * What is inside the executable, and under which licences: the packages that the bundler includes, and what Bun brings
 * with it.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryPoints } from "./build.ts";
import { bunSource, type RuntimePart, runtimeParts } from "./runtime-parts.ts";

const root = join(import.meta.dir, "..");
const texts = join(import.meta.dir, "licences");

export interface InsidePackage {
  name: string;
  version: string;
  /** SPDX expression. */
  licence: string;
  text: string;
}

/** Published without their licence text; taken from their repositories, or from SPDX. */
const keptByHand: Readonly<Record<string, string>> = {
  "@headlessui/vue": "MIT.txt",
  "@replit/codemirror-css-color-picker": "MIT.txt",
  "@scalar/api-reference": "MIT.txt",
  "@scalar/schemas": "MIT.txt",
  "@scalar/workspace-store": "MIT.txt",
  "drizzle-orm": "Apache-2.0.txt",
  "unist-util-find-after": "MIT.txt",
};

/** Published as one file that bundles others, with a source map that names their files. */
const prebundled: Readonly<Record<string, string>> = {
  "@scalar/api-reference": "dist/browser/standalone.js.map",
};

/** Licence names as packages spell them, mapped to SPDX. */
const spelledBySpdx: Readonly<Record<string, string>> = { "BSD-0-Clause": "0BSD", OFL: "OFL-1.1" };

const isLicenceFile = /^(licen[cs]e|copying|notice|ofl)([.-].*)?$/i;

/** By name and version. Throws if a package has no licence text. */
export async function packagesInside(): Promise<InsidePackage[]> {
  const folders = await bundledFolders();
  const inside = folders.flatMap((folder) => {
    const own = readPackage(folder);
    const list = prebundled[own.name];
    return list === undefined ? own : [own, ...heldPackages(join(root, folder, list), own.name.split("/", 1)[0] ?? "")];
  });
  return [...new Map(inside.map((one): [string, InsidePackage] => [idOf(one), one])).values()].sort((one, other) =>
    idOf(one) < idOf(other) ? -1 : 1,
  );
}

const idOf = ({ name, version }: InsidePackage) => `${name}@${version}`;

async function bundledFolders(): Promise<string[]> {
  const place = mkdtempSync(join(tmpdir(), "peyk-inside-"));
  try {
    const metafile = join(place, "meta.json");
    const bundle = ["build", "--target=bun", "--splitting", `--outdir=${join(place, "out")}`, `--metafile=${metafile}`];
    const bundling = Bun.spawn([process.execPath, ...bundle, ...entryPoints], { cwd: root, stdout: "ignore" });
    if ((await bundling.exited) !== 0) throw new Error("The sources could not be bundled.");
    const { inputs }: { inputs: Record<string, unknown> } = JSON.parse(readFileSync(metafile, "utf8"));
    return [...new Set(Object.keys(inputs).flatMap((path) => packageFolder(path) ?? []))];
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The `node_modules/a/node_modules/@b/c` that a file belongs to; null for one of Peyk's own. */
const packageFolder = (path: string): string | null =>
  path.match(/^.*node_modules\/(?:@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? null;

/**
 * The packages named by a source map, in the versions that were bundled; their licences are read from the installed
 * packages. Packages of the bundle's own repository (`../../../helpers/dist/…`) have no version there: it is that of the
 * installed one.
 */
function heldPackages(sourceMap: string, scope: string): InsidePackage[] {
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(sourceMap, "utf8"));
  const held = new Map<string, InsidePackage>();
  for (const path of sources) {
    const [, version, given] =
      path.match(/\/\.pnpm\/[^/]+?@(\d[^_/]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//) ?? [];
    const neighbour = path.match(/^(?:\.\.\/){3}([^./]+)\/dist\//)?.[1];
    const name = given ?? (neighbour === undefined ? undefined : `${scope}/${neighbour}`);
    if (name === undefined || held.has(name)) continue;
    const folder = `node_modules/${name}`;
    const isHere = existsSync(join(root, folder, "package.json"));
    const found = isHere ? readPackage(folder) : { ...byHand(name), version: "" };
    held.set(name, { ...found, name, version: version ?? found.version });
  }
  return [...held.values()];
}

function byHand(name: string): Pick<InsidePackage, "licence" | "text"> {
  const file = keptByHand[name];
  if (file === undefined) throw new Error(`${name} comes without the text of its licence.`);
  return { licence: file.replace(".txt", ""), text: tidy(readFileSync(join(texts, file), "utf8")) };
}

function readPackage(folder: string): InsidePackage {
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  if (typeof name !== "string" || typeof version !== "string") throw new Error(`${folder} has no name or version.`);
  const files = readdirSync(join(root, folder)).filter((file) => isLicenceFile.test(file));
  if (files.length === 0 || typeof license !== "string") return { name, version, ...byHand(name) };
  const text = files.sort().map((file) => readFileSync(join(root, folder, file), "utf8"));
  return { name, version, licence: spelledBySpdx[license] ?? license, text: tidy(text.join("\n")) };
}

/** Without carriage returns, trailing whitespace, and empty lines at either end. */
const tidy = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();

const rule = "=".repeat(100);

const chapter = (title: string, text: string) => `${rule}\n${title}\n${rule}\n\n${text}\n`;

const relinking = `Peyk is distributed under the Apache License 2.0. Its executable also holds what is listed here.

JavaScriptCore, WebKit and tinycc are under the GNU (Library, Lesser) General Public License. You may change them and link Peyk
with what you changed:

1. Take Bun's sources, ${bunSource}, and in \`vendor/WebKit\` those of
   https://github.com/oven-sh/WebKit at the commit that Bun's \`scripts/build/deps/webkit.ts\` names as WEBKIT_VERSION.
2. Change them, and build Bun with \`bun run build:local\`.
3. Build Peyk from its sources with that Bun: \`bun build --compile --compile-executable-path=YOUR_BUN\` takes it in place of the
   released one (\`scripts/build.ts\` has the other options).
`;

/** The whole text, identical for the same lockfile and sources. */
export async function thirdPartyText(): Promise<string> {
  const inside = await packagesInside();
  const list = [
    ...inside.map((one) => `${idOf(one)}: ${one.licence}`),
    ...runtimeParts.map(({ name, licence, source }) => `${name}: ${licence} (${source})`),
  ].join("\n");
  const packages = grouped(inside).map(([text, names]) => chapter(names.join(", "), text));
  return `${relinking}\n${list}\n\n${[...packages, ...runtimeChapters()].join("\n")}`;
}

/** Packages with the same text are listed together. */
function grouped(inside: readonly InsidePackage[]): [text: string, names: string[]][] {
  const byText = Map.groupBy(inside, ({ text }) => text);
  return [...byText].map(([text, packages]) => [text, packages.map(idOf)]);
}

function runtimeChapters(): string[] {
  const byText = new Map<string, RuntimePart[]>();
  for (const part of runtimeParts) for (const text of part.texts) byText.set(text, [...(byText.get(text) ?? []), part]);
  return [...byText].map(([file, parts]) => {
    const path = join(texts, file);
    if (!existsSync(path)) throw new Error(`The text ${file} is missing.`);
    return chapter(parts.map(({ name }) => name).join(", "), tidy(readFileSync(path, "utf8")));
  });
}
