/**
 * The client libraries as packages, built as their maintainers would and installed into fresh projects as their users
 * would.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As in clients/python/pyproject.toml. */
const pythonBackend = "flit_core==3.12.0";
const root = join(import.meta.dir, "..", "..");

export interface RunOptions {
  cwd: string;
  env?: Readonly<Record<string, string>>;
}

/** The command's output. Throws with all of it if the command fails. */
export async function output(command: readonly string[], { cwd, env = {} }: RunOptions): Promise<string> {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${out}${err}`);
  return out;
}

/** A program that uses a library: its name, and the command that runs one of test/clients/journeys/. */
export interface LibraryUser {
  name: string;
  cwd: string;
  /** Runs every example in the library's README. */
  examples: readonly (readonly string[])[];
  /** Tests the library without a server; null if the suite does that itself. */
  behaviour: readonly string[] | null;
  /** False if another entry of the list runs the same library's fake. */
  hasOwnFake: boolean;
  command: (journey: "journey" | "sender") => readonly string[];
}

export function clientFolder() {
  const path = mkdtempSync(join(tmpdir(), "peyk-libraries-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A copy of a library's folder to build it in. */
function copyOf(folder: string, language: string): string {
  const copy = join(folder, `${language}-source`);
  cpSync(join(root, "clients", language), copy, { recursive: true });
  cpSync(join(root, "LICENSE"), join(copy, "LICENSE"));
  return copy;
}

const journeys = (language: string) => join(root, "test", "clients", "journeys", language);

function fileIn(folder: string, ending: string): string {
  const name = readdirSync(folder).find((one) => one.endsWith(ending));
  if (name === undefined) throw new Error(`No ${ending} was built`);
  return join(folder, name);
}

/** Writes each code block in this language from a library's README to a file of its own; returns their names. */
export function writeExamples(library: string, fence: string, cwd: string, ending: string): string[] {
  const readme = readFileSync(join(root, "clients", library, "README.md"), "utf8");
  const blocks = [...readme.matchAll(new RegExp(`\\n\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``, "g"))];
  return blocks.map(([, code = ""], index) => {
    const name = `example${index}${ending}`;
    writeFileSync(join(cwd, name), code);
    return name;
  });
}

/** The path of the tarball. */
export async function packTypescript(folder: string): Promise<string> {
  const source = copyOf(folder, "typescript");
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  const pack = Bun.which("npm") === null ? [process.execPath, "pm", "pack", "--quiet"] : ["npm", "pack", "--silent"];
  await output(pack, { cwd: source });
  return fileIn(source, ".tgz");
}

const tsc = join(root, "node_modules", ".bin", "tsc");
/** Every check that TypeScript has, the library's declarations included. */
const strictest = [
  ...["--target", "es2022", "--lib", "es2023,dom", "--module", "nodenext", "--types", "node"],
  ...["--typeRoots", join(root, "node_modules", "@types"), "--strict", "--noUncheckedIndexedAccess"],
  ...[
    "--exactOptionalPropertyTypes",
    "--noPropertyAccessFromIndexSignature",
    "--noImplicitReturns",
    "--noUnusedLocals",
  ],
  ...["--noUnusedParameters", "--noUncheckedSideEffectImports", "--verbatimModuleSyntax", "--isolatedModules"],
];

/** With Node if it is installed, and with Bun. */
export async function typescriptUsers(folder: string): Promise<LibraryUser[]> {
  const tarball = await packTypescript(folder);
  const node = Bun.which("node");
  const runtimes = { bun: process.execPath, ...(node !== null && { node }) };
  return Promise.all(
    Object.entries(runtimes).map(async ([name, runtime]) => {
      const cwd = join(folder, name);
      mkdirSync(cwd);
      writeFileSync(join(cwd, "package.json"), JSON.stringify({ dependencies: { "peyk-client": `file:${tarball}` } }));
      const npm = name === "node" && Bun.which("npm") !== null;
      const install = npm ? ["npm", "install", "--offline", "--no-audit", "--no-fund"] : [process.execPath, "install"];
      await output(install, { cwd });
      cpSync(journeys(""), cwd, { recursive: true });
      const sources = writeExamples("typescript", "ts", cwd, ".mts");
      await output([tsc, ...strictest, ...sources], { cwd });
      const examples = sources.map((file) => [runtime, file.replace(/mts$/, "mjs")]);
      return {
        examples,
        behaviour: null,
        name,
        cwd,
        hasOwnFake: name !== "bun" || node === null,
        command: (journey) => [runtime, `${journey}.mjs`],
      } satisfies LibraryUser;
    }),
  );
}

/** Prefers Debian's, which has httpx as well. */
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : Bun.which("python3");

const succeeds = (command: string[]) => Bun.spawnSync(command).exitCode === 0;

/** Wheel and source archive, built by the hooks that pip calls. */
async function buildPython(folder: string): Promise<{ wheel: string; source: string }> {
  const cwd = copyOf(folder, "python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", "backend"];
  await output([python ?? "", ...pip, pythonBackend], { cwd });
  const build = "import flit_core.buildapi as b; b.build_wheel('dist'); b.build_sdist('dist')";
  mkdirSync(join(cwd, "dist"));
  await output([python ?? "", "-c", build], { cwd, env: { PYTHONPATH: "backend", SOURCE_DATE_EPOCH: "1795188960" } });
  return { wheel: fileIn(join(cwd, "dist"), ".whl"), source: fileIn(join(cwd, "dist"), ".tar.gz") };
}

/** With urllib from the wheel, with httpx from the source archive, and with asyncio. */
export async function pythonUsers(folder: string): Promise<LibraryUser[]> {
  if (python === null || !succeeds([python, "-m", "pip", "--version"])) return [];
  const { wheel, source } = await buildPython(folder);
  const hasHttpx = succeeds([python, "-c", "import httpx"]);
  const packages = { python: wheel, ...(hasHttpx && { httpx: source }), asyncio: wheel };
  return Promise.all(
    Object.entries(packages).map(async ([name, file]) => {
      const cwd = join(folder, name);
      mkdirSync(cwd);
      const offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"];
      const backend = { PYTHONPATH: join(folder, "python-source", "backend") };
      await output([python, "-m", "pip", "install", "--quiet", ...offline, "--target", "site", file], {
        cwd,
        env: backend,
      });
      cpSync(journeys(""), cwd, { recursive: true });
      const run = (script: string) => ["env", "PYTHONPATH=site", python, script];
      return {
        examples: writeExamples("python", "python", cwd, ".py").map(run),
        behaviour: name === "asyncio" ? null : run("behaviour.py"),
        name,
        cwd,
        hasOwnFake: name !== "httpx",
        command: (journey) => [...run(`${journey}.py`), ...(name === "python" ? [] : [`--${name}`])],
      } satisfies LibraryUser;
    }),
  );
}

/** Debian's PSR-18 clients, by the file that loads each. */
const psr18Clients = {
  guzzle: "/usr/share/php/GuzzleHttp/autoload.php",
  symfony: "/usr/share/php/Symfony/Component/HttpClient/autoload.php",
};

/** Installed by composer from a path, with curl and with each available PSR-18 client. */
export async function phpUsers(folder: string): Promise<LibraryUser[]> {
  const [php, composer] = [Bun.which("php"), Bun.which("composer")];
  if (php === null || composer === null) return [];
  const url = copyOf(folder, "php");
  const clients = Object.entries(psr18Clients).filter(([, file]) => existsSync(file));
  const hasCurl = succeeds([php, "-r", "exit(extension_loaded('curl') ? 0 : 1);"]);
  const names = [...(hasCurl ? ["php"] : []), ...clients.map(([name]) => name)];
  return Promise.all(
    names.map(async (name) => {
      const cwd = join(folder, name);
      mkdirSync(cwd);
      const repositories = [{ type: "path", url, options: { symlink: false } }, { "packagist.org": false }];
      writeFileSync(join(cwd, "composer.json"), JSON.stringify({ repositories, require: { "peyk/client": "0.1.0" } }));
      const env = { COMPOSER_ALLOW_SUPERUSER: "1", COMPOSER_HOME: join(folder, "composer") };
      await output([composer, "install", "--no-interaction", "--quiet"], { cwd, env });
      cpSync(journeys(""), cwd, { recursive: true });
      return {
        examples: writeExamples("php", "php", cwd, ".php").map((file) => [php, "-d", "error_reporting=-1", file]),
        behaviour: [php, "behaviour.php"],
        name,
        cwd,
        hasOwnFake: name === names[0],
        command: (journey) => [php, `${journey}.php`, `--${name}`],
      } satisfies LibraryUser;
    }),
  );
}

/** All those available on this machine. */
export async function libraryUsers(folder: string): Promise<LibraryUser[]> {
  return (await Promise.all([typescriptUsers(folder), pythonUsers(folder), phpUsers(folder)])).flat();
}
