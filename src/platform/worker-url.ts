/** Finds the file of a worker thread, both from source and in the compiled binary. */

/** In the binary an entry point keeps its path, so no file in the working directory can replace it. */
const embeddedRoot = "file:///$bunfs/root/";

/**
 * `path` is relative to src/ and has no extension, such as `http/large-body-worker`; scripts/build.ts lists it as well.
 */
export function workerUrl(path: string): URL {
  return import.meta.url.startsWith(embeddedRoot)
    ? new URL(`${path}.js`, embeddedRoot)
    : new URL(`../${path}.ts`, import.meta.url);
}
