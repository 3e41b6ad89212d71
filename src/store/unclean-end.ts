/** What is done before SQLite opens the files of a process that was killed, lost its power or met a failing disk. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { errorMessage } from "../platform/error-code.ts";
import { dropCachedPages } from "../platform/page-cache.ts";
import { checkLog } from "./log-check.ts";
import { refuseShortLog } from "./log-mark.ts";

/** The disk does not give back what the database consists of. */
export class DiskUnreadable extends Error {
  override readonly name = "DiskUnreadable";
}

/**
 * Has the disk itself read: after a failed write the kernel may show bytes that a power cut would take back, and new ones that
 * replace them would go the same way. Then the log is checked, and that the pages which it replaces can be read. A clean end
 * leaves no log and no mark, so it costs nothing. Only before SQLite opens the files, whose locks this would drop.
 * @throws LogDamaged, DiskUnreadable
 */
export function checkAfterUncleanEnd(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(path)) return;
  if (!existsSync(log) || statSync(log).size === 0) {
    refuseShortLog(path, null);
    return;
  }
  try {
    dropCachedPages(path);
    dropCachedPages(log);
  } catch (reason) {
    const words = errorMessage(reason);
    throw new DiskUnreadable(`The disk does not take what it was given before: ${words}. Mend it, then start again.`);
  }
  const report = checkLog(log);
  refuseShortLog(path, report);
  readPages(path, report.pages, report.pageBytes);
}

function readPages(path: string, pages: ReadonlySet<number>, pageBytes: number): void {
  const descriptor = openSync(path, "r");
  const bytes = new Uint8Array(pageBytes);
  try {
    for (const page of pages) readSync(descriptor, bytes, 0, pageBytes, (page - 1) * pageBytes);
  } catch (reason) {
    const words = errorMessage(reason);
    throw new DiskUnreadable(
      `${path} cannot be read whole: ${words}. Mend the disk, or restore a copy: peyk backup restore --help`,
    );
  } finally {
    closeSync(descriptor);
  }
}
