/** The free space of a folder's file system. */
import { files } from "./files.ts";

/** Bytes that this process may still write; throws where the folder cannot be asked. */
export function freeBytes(folder: string): number {
  return files.freeBytes(folder);
}
