/** The free space of a folder's file system. */
import { statfsSync } from "node:fs";

/** Bytes that this process may still write; throws where the folder cannot be asked. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
