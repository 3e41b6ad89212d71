/** Programs that nobody here made, from PyPI and npm: installed once, and kept for the next run. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dir, "..", "..", "node_modules", ".cache", "peyk-outside");

/** Output and exit code; such a program's findings are no failure to run. */
export interface Said {
  code: number;
  text: string;
}

export async function run(command: readonly string[], options: { cwd?: string; env?: object } = {}): Promise<Said> {
  const env = { ...process.env, ...options.env };
  const child = Bun.spawn([...command], { ...options, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, text: out + err };
}

async function installed(program: string, commands: readonly (readonly string[])[], cwd: string, env: object = {}) {
  if (existsSync(program)) return program;
  mkdirSync(cwd, { recursive: true });
  for (const command of commands) {
    const [name = ""] = command;
    if (Bun.which(name) === null && !existsSync(name)) return null;
    const { code, text } = await run(command, { cwd, env });
    if (code === 0) continue;
    console.log(`skipped  ${command.join(" ")} failed:\n${text.slice(-500)}`);
    return null;
  }
  return program;
}

/** The path of a package's program; null if it cannot be installed here. */
export function fromPyPI(name: string, version: string): Promise<string | null> {
  const folder = join(cache, `${name}-${version}`);
  const install = [join(folder, "bin", "pip"), "install", "--quiet", `${name}==${version}`];
  return installed(join(folder, "bin", name), [["python3", "-m", "venv", folder], install], cache);
}

/** `file`: of the package, below node_modules. */
export function fromNpm(name: string, version: string, file: string): Promise<string | null> {
  const folder = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  const install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${version}`];
  return installed(join(folder, "node_modules", file), [install], folder);
}

/** `path`: of the package of the program, which Go names by its last part. */
export function fromGo(path: string, version: string): Promise<string | null> {
  const folder = join(cache, `${path.replaceAll("/", "-")}-${version}`);
  const install = ["go", "install", `${path}@v${version}`];
  const env = { GOBIN: folder, GOFLAGS: "-mod=mod" };
  return installed(join(folder, path.split("/").at(-1) ?? ""), [install], folder, env);
}
