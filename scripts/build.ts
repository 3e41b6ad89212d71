/** Builds `dist/peyk`, one self-contained executable that runs no code from its working directory, and its checksum. */
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

/** The program and its worker threads (src/platform/worker-url.ts). */
export const entryPoints = ["src/main.ts", "src/reports/read-worker.ts", "src/http/large-body-worker.ts"];

export interface BuildOptions {
  /** A target of `bun build --compile`, such as `bun-linux-arm64`; defaults to this machine's. */
  target?: string;
  outfile?: string;
  /** The folder that contains `src`; defaults to this repository. */
  sources?: string;
  /** The version that `peyk version` prints; defaults to that of `sources`. */
  commit?: Commit | null;
  /** False for a build that is made more quickly than it starts: bytecode takes most of the processor time of a build. */
  bytecode?: boolean;
}

export interface Commit {
  hash: string;
  /** Commit time, ISO 8601 in UTC. */
  date: string;
}

/**
 * The commit of `sources`, or null for a modified tree or no checkout: such a build cannot be reproduced from a commit.
 */
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
  bytecode = true,
}: BuildOptions = {}): Promise<string> {
  mkdirSync(join(outfile, ".."), { recursive: true });
  const command = [
    process.execPath,
    "build",
    "--compile",
    "--sourcemap",
    // Bytecode cuts start-up from 370 ms to 125 ms. The default format would reject the await in main.
    ...(bytecode ? ["--bytecode"] : []),
    "--format=esm",
    // Keeps lazily loaded code (the console, the operator API) out of start-up: saves 10 ms and 7 MB of memory.
    "--splitting",
    // Without these two, the binary would run code from a bunfig.toml and read a .env in its working directory.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    // pino and thread-stream embed the build folder's path, so two folders would produce two different binaries.
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

/** The executable embeds its source maps; the copies that the bundler leaves beside it are not needed. */
function dropMaps(began: number, folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".map"))) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs >= began) rmSync(file, { force: true });
  }
}

/** A line in the format that `sha256sum` writes and checks. */
export function checksumLine(file: string): string {
  return `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`;
}

/** Replaces this file's line in the adjacent SHA256SUMS, which the installer reads; other files keep theirs. */
function noteChecksum(file: string): void {
  const sums = join(dirname(file), "SHA256SUMS");
  const lines = existsSync(sums) ? readFileSync(sums, "utf8").split(/(?<=\n)/) : [];
  const others = lines.filter((line) => !line.endsWith(`  ${basename(file)}\n`));
  const fresh = `${sums}.${process.pid}`;
  writeFileSync(fresh, [...others, checksumLine(file)].join(""));
  renameSync(fresh, sums);
}

if (import.meta.main) console.log(await build());
