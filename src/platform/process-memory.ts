/** The memory of a process as the kernel counts it: what it needs, and pages of files, which the kernel drops and reads again. */
import { readFileSync } from "node:fs";

export interface ProcessMemory {
  /** Its own: nothing but swapping takes it away. */
  anonymousBytes: number;
  /** Of the executable and other files, shared with whoever else reads them. */
  fileBytes: number;
}

/** Null where there is no /proc. */
export function processMemory(pid: number | "self" = "self"): ProcessMemory | null {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return null;
  }
  const bytesByName = new Map(
    [...status.matchAll(/^(Rss\w+):\s+(\d+) kB$/gm)].map(([, name = "", kib]) => [name, Number(kib) * 1_024]),
  );
  const bytesOf = (name: string) => bytesByName.get(name) ?? 0;
  return { anonymousBytes: bytesOf("RssAnon"), fileBytes: bytesOf("RssFile") + bytesOf("RssShmem") };
}
