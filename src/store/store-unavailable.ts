/**
 * The disk refused (full, I/O error, lost volume), and nobody was told otherwise. Nothing of the write is kept, unless it was
 * the sync that failed: then only a new start can tell (see GroupCommitObserver).
 */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The store cannot write: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "StoreUnavailable";
  }
}
