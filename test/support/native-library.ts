/** Builds the C sources that tests load. */
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dir, "..", "..", "node_modules", ".cache", "native-libraries");

/** The path of the shared library, built once for each version of its source. */
export function nativeLibrary(source: string): string {
  const version = Bun.hash(readFileSync(source)).toString(36);
  const library = join(cache, `${version}.so`);
  if (existsSync(library)) return library;
  mkdirSync(cache, { recursive: true });
  const incoming = `${library}.${process.pid}`;
  const built = Bun.spawnSync(["cc", "-O2", "-shared", "-fPIC", "-o", incoming, source], { stderr: "inherit" });
  if (built.exitCode !== 0) throw new Error(`${source} cannot be built (apt-get install gcc libsqlite3-dev)`);
  renameSync(incoming, library);
  return library;
}
