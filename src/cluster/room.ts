/** Whether a node's disk has enough room to lead. */
import { freeBytes } from "../platform/disk-space.ts";

/** Far more than a commit needs: two nodes with full disks must not pass the lead to and fro. */
const leadingBytesMin = 64 * 1024 * 1024;

export function hasRoom(folder: string): boolean {
  try {
    return freeBytes(folder) >= leadingBytesMin;
  } catch {
    return false;
  }
}
