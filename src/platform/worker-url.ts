/** Finds the file of a worker thread, from the sources and in the compiled binary. */

/** In the binary every module stands in one file at its root, but a worker keeps its path (scripts/build.ts names it). */
const isCompiled = import.meta.url.startsWith("file:///$bunfs/");

/** `path` is that under src/, such as `http/large-body-worker.ts`. */
export function workerUrl(path: string): URL {
  return new URL(isCompiled ? `./${path}` : `../${path}`, import.meta.url);
}
