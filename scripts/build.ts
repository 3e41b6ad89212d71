/** Builds `dist/peyk`: one executable that holds everything, and that runs no code from the folder it is started in; its checksum beside it. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dir, "..");

/** The program, and its threads (src/platform/worker-url.ts). */
export const entryPoints = ["src/main.ts", "src/reports/read-worker.ts", "src/http/large-body-worker.ts"];

export interface BuildOptions {
  /** A target of `bun build --compile`, such as `bun-linux-arm64`; the machine's own when left out. */
  target?: string;
  outfile?: string;
  /** The folder that holds `src`; this repository when left out. */
  sources?: string;
  /** What `peyk version` names; that of `sources` when left out. */
  commit?: Commit | null;
}

export interface Commit {
  hash: string;
  /** When it was committed, ISO 8601 in UTC. */
  date: string;
}

/** The commit that `sources` are, or null where they are changed or no checkout: then no commit can be built again from its name. */
export function commitOf(sources: string): Commit | null {
  const git = (...words: string[]) => Bun.spawnSync(["git", "-C", sources, ...words], { stderr: "ignore" });
  const top = git("rev-parse", "--show-toplevel");
  if (!top.success || realpathSync(sources) !== top.stdout.toString().trim()) return null;
  if (git("status", "--porcelain").stdout.length > 0) return null;
  const [hash = "", seconds = ""] = git("log", "-1", "--format=%H %ct").stdout.toString().trim().split(" ");
  return hash === "" ? null : { hash, date: new Date(Number(seconds) * 1000).toISOString() };
}

export async function build({
  target,
  outfile = join(root, "dist", "peyk"),
  sources = root,
  commit = commitOf(sources),
}: BuildOptions = {}): Promise<string> {
  mkdirSync(join(outfile, ".."), { recursive: true });
  const command = [
    process.execPath,
    "build",
    "--compile",
    "--sourcemap",
    // Compiled ahead: a start took 370 ms without it and takes 125 with it. The default format would refuse main's await.
    "--bytecode",
    "--format=esm",
    // What is loaded late (the console, the operator API) is then not read at a start: 10 ms and 7 MB of memory less.
    "--splitting",
    // Without these two the binary would run code from a bunfig.toml, and read a .env, in its working directory.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    // pino and thread-stream would carry the folder of whoever builds, so that two folders gave two binaries.
    `--define=__dirname="/"`,
    `--define=BUILT_FROM=${JSON.stringify(commit)}`,
    ...(target === undefined ? [] : [`--target=${target}`]),
    `--outfile=${outfile}`,
    ...entryPoints,
  ];
  const began = Date.now();
  const built = Bun.spawn(command, { cwd: sources, stdout: "pipe", stderr: "pipe" });
  const said = (await new Response(built.stdout).text()) + (await new Response(built.stderr).text());
  if ((await built.exited) !== 0) throw new Error(`The build failed:\n${said}`);
  chmodSync(outfile, 0o755);
  dropMaps(began, dirname(outfile));
  noteChecksum(outfile);
  return outfile;
}

/** The executable holds its maps; those that the bundler leaves beside it are of no use. */
function dropMaps(began: number, folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".map"))) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs >= began) rmSync(file, { force: true });
  }
}

/** A line as `sha256sum` writes and checks it. */
export function checksumLine(file: string): string {
  return `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`;
}

/** Replaces the file's line in the SHA256SUMS beside it, which the installer reads; other files keep theirs. */
function noteChecksum(file: string): void {
  const sums = join(dirname(file), "SHA256SUMS");
  const lines = existsSync(sums) ? readFileSync(sums, "utf8").split(/(?<=\n)/) : [];
  const others = lines.filter((line) => !line.endsWith(`  ${basename(file)}\n`));
  const fresh = `${sums}.${process.pid}`;
  writeFileSync(fresh, [...others, checksumLine(file)].join(""));
  renameSync(fresh, sums);
}

if (import.meta.main) console.log(await build());
