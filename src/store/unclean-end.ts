/** Checks before SQLite opens files left by a process that was killed, lost power or met a failing disk. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { dropCachedPages } from "../platform/page-cache.ts";
import { checkLog } from "./log-check.ts";
import { refuseShortLog } from "./log-mark.ts";

/** The disk does not return the contents of the database. */
export class DiskUnreadable extends Error {
  override readonly name = "DiskUnreadable";
}

/**
 * Reads from the disk itself: after a failed write, the kernel may show bytes that a power cut would take back, and new
 * bytes that replace them would be lost the same way. Then checks the log, and that the pages it replaces are readable.
 * A clean end leaves no log and no mark, so the check costs nothing. Only call before SQLite opens the files: this
 * would drop its locks. @throws LogDamaged, DiskUnreadable
 */
export function checkAfterUncleanEnd(path: string, drop = dropCachedPages): void {
  const log = `${path}-wal`;
  if (!existsSync(path)) return;
  if (!existsSync(log) || statSync(log).size === 0) {
    refuseShortLog(path, null);
    return;
  }
  try {
    drop(path);
    drop(log);
  } catch (reason) {
    // Another program had the database open, such as a copy being made, and its end took the log into the file.
    if (errorCode(reason) === "ENOENT" && !existsSync(log)) {
      checkAfterUncleanEnd(path, drop);
      return;
    }
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
