/** Checks before SQLite opens files left by a process that was killed, lost power or met a failing disk. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { dropCachedPages } from "../platform/page-cache.ts";
import { type BlankPages, noBlankPages } from "./file-growth.ts";
import { checkLog, type LogReport } from "./log-check.ts";
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
export function checkAfterUncleanEnd(path: string, drop = dropCachedPages): BlankPages {
  const log = `${path}-wal`;
  if (!existsSync(path)) return noBlankPages;
  if (!existsSync(log) || statSync(log).size === 0) {
    refuseShortLog(path, null);
    return noBlankPages;
  }
  try {
    drop(path);
    drop(log);
  } catch (reason) {
    // Another program had the database open, such as a copy being made, and its end took the log into the file.
    if (errorCode(reason) === "ENOENT" && !existsSync(log)) {
      return checkAfterUncleanEnd(path, drop);
    }
    const words = errorMessage(reason);
    throw new DiskUnreadable(`The disk does not take what it was given before: ${words}. Mend it, then start again.`);
  }
  const report = checkLog(log);
  refuseShortLog(path, report);
  return { numbers: blankPagesIn(path, report), pageBytes: report.pageBytes };
}

/** Reads every page that the log replaces. */
function blankPagesIn(path: string, { pages, pageBytes }: LogReport): number[] {
  const descriptor = openSync(path, "r");
  const bytes = Buffer.alloc(pageBytes);
  const blank = Buffer.alloc(pageBytes);
  const isBlank = (page: number) =>
    readSync(descriptor, bytes, 0, pageBytes, (page - 1) * pageBytes) > 0 && bytes.equals(blank);
  try {
    return [...pages].filter(isBlank);
  } catch (reason) {
    const words = errorMessage(reason);
    throw new DiskUnreadable(
      `${path} cannot be read whole: ${words}. Mend the disk, or restore a copy: peyk backup restore --help`,
    );
  } finally {
    closeSync(descriptor);
  }
}
