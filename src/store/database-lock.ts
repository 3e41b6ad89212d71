/** Keeps SQLite out of a database file that is written without it, and tells who has it open. */
import { readFileSync } from "node:fs";
import { rangeHolder, tryLockRange } from "../platform/file-lock.ts";
import { files } from "../platform/files.ts";

/** The octets that SQLite locks: https://www.sqlite.org/src/file/src/os_unix.c (PENDING_BYTE, SHARED_FIRST). */
const all = { from: 0x40000000, length: 512 };
const pending = { from: all.from, length: 1 };
const shared = { from: all.from + 2, length: 510 };

export class DatabaseLock {
  /** Kept open: closing it would drop the locks that SQLite has in this process. */
  #descriptor: number | null = null;

  constructor(private readonly path: string) {}

  /**
   * Null once no connection to the database is open in any process, and none can be opened before `release`; otherwise
   * who has it open.
   */
  take(): string | null {
    this.#descriptor ??= files.open(this.path, "r+");
    if (tryLockRange(this.#descriptor, "exclusive", all)) return null;
    const pid = rangeHolder(this.#descriptor, all);
    // Nobody else comes in meanwhile, and whoever closes last cannot move its log into the file.
    tryLockRange(this.#descriptor, "exclusive", pending);
    tryLockRange(this.#descriptor, "shared", shared);
    return nameOf(pid);
  }

  /** Call before SQLite opens the file in this process: it could not lock it either. */
  release(): void {
    if (this.#descriptor !== null) files.close(this.#descriptor);
    this.#descriptor = null;
  }
}

function nameOf(pid: number | null): string {
  if (pid === null || pid === 0) return "another program";
  try {
    return `${readFileSync(`/proc/${pid}/comm`, "utf8").trim()} (process ${pid})`;
  } catch {
    return `process ${pid}`;
  }
}
