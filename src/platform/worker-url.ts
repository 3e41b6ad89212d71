/** Finds the file of a worker thread, from the sources and in the compiled binary. */

/** In the binary an entry point keeps its path, by which no file of the working directory can stand in its place. */
const embeddedRoot = "file:///$bunfs/root/";

/** `path` is that under src/ without its ending, such as `http/large-body-worker`; scripts/build.ts names it as well. */
export function workerUrl(path: string): URL {
  return import.meta.url.startsWith(embeddedRoot)
    ? new URL(`${path}.js`, embeddedRoot)
    : new URL(`../${path}.ts`, import.meta.url);
}
