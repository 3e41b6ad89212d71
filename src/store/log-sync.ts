/** Brings SQLite's write-ahead log to the disk on a thread of the pool, so that a slow disk holds up nobody but those who wait for it. */
import { close, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { promisify } from "node:util";

const dataSync = promisify(fdatasync);

export interface LogSync {
  /** Resolves once everything that was committed before the call is on disk. */
  sync(): Promise<void>;
  /** Syncs at once, and lets the file go when no sync is under way any more. Throws what the disk says. */
  close(): void;
}

/**
 * `path` is the database's. Its log is a file from the first commit on, and stays the same one until the last connection closes.
 * Each has a file description of its own, since the kernel tells each of them once when it failed to write.
 */
export function logSync(path: string): LogSync {
  let file: number | null = null;
  let underWay = 0;
  let closing = false;

  function closeWhenIdle(): void {
    if (!closing || underWay > 0 || file === null) return;
    close(file);
    file = null;
  }

  return {
    async sync() {
      if (closing) return;
      file ??= openSync(`${path}-wal`, "r");
      underWay += 1;
      try {
        await dataSync(file);
      } finally {
        underWay -= 1;
        closeWhenIdle();
      }
    },
    close() {
      if (file !== null) fdatasyncSync(file);
      closing = true;
      closeWhenIdle();
    },
  };
}
