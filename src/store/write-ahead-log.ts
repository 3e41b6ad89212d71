/** What is done with SQLite's log beside what SQLite does: after each commit it is noted how far the log was synced. */
import type { Database, Statement } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";
import type { LogMark } from "./log-mark.ts";

const saltAt = 16;
const saltBytes = 8;

export class WriteAheadLog {
  readonly #path: string;
  readonly #look: Statement<{ log: number }, []>;
  readonly #mark: LogMark;
  readonly #salt = Buffer.alloc(saltBytes);
  /** SQLite holds no locks on the log, so this can be closed at any time. */
  #descriptor: number | null = null;

  constructor(database: Database, databasePath: string, mark: LogMark) {
    this.#path = `${databasePath}-wal`;
    this.#look = database.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#mark = mark;
  }

  /** To be called after each commit, once it is synced. Takes some 4 µs. */
  committed(): void {
    try {
      const frames = this.#look.get()?.log ?? 0;
      this.#descriptor ??= openSync(this.#path, "r");
      readSync(this.#descriptor, this.#salt, 0, saltBytes, saltAt);
      this.#mark.note({ salt: this.#salt, frames });
    } catch (reason) {
      // The commit stands; on a full disk the mark goes on telling of less.
      if (errorCode(reason) === "") throw reason;
    }
  }

  /** To be called before the log is emptied by anything but SQLite's own reuse, which changes its salt. */
  beforeEmptying(): void {
    this.#mark.remove();
  }

  /** A sync failed: log and mark stay for the next start. */
  abandon(): void {
    this.#mark.keep();
  }

  /** To be called before the database is closed, which removes the log. */
  end(): void {
    this.#mark.end();
    this.#look.finalize();
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
