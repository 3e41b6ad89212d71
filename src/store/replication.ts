/** Replication of commits and the answers that wait for it. Used only in a cluster. */
import type { ChangedPages } from "./log-frames.ts";

/** Keeps every commit elsewhere as well. */
export interface Replication {
  /**
   * Called right after each COMMIT, before anything else writes. `pages`: what it changed; null if nothing. `kept` runs
   * once that commit and all before it are kept elsewhere.
   */
  committed(pages: ChangedPages | null, kept: () => void): void;
  /** True if every commit is kept elsewhere. */
  readonly isDrained: boolean;
  /** Why writes are refused now; null if they are accepted. */
  refusal(): string | null;
  /** `listener` runs whenever everything is kept elsewhere. There is only one listener. */
  onDrained(listener: () => void): void;
  /** All of SQLite's log is in the database file, synced, and everything is kept elsewhere. */
  checkpointed(): void;
  /**
   * Nothing is committed here any more, and everything is kept elsewhere: from now on anybody may move what is left in
   * the log into the file. False if that could not be stored; then the database must stay open.
   */
  closed(): boolean;
}

/**
 * Delays an answer until everything it may have read is kept elsewhere: a node that takes over must know what clients
 * were told.
 */
export interface AnswerGate {
  /**
   * Null if all commits are kept and this node may answer; otherwise resolves once the commits so far are kept, not
   * later ones. Rejects with StoreUnavailable if that takes too long.
   */
  pass(): Promise<void> | null;
  /** Settles as `answer` does, or rejects with StoreUnavailable if nothing has been kept for too long. */
  within<T>(answer: Promise<T>): Promise<T>;
}

/** `answer`, once a node taking over would know what it tells. Rejects with StoreUnavailable if that takes too long. */
export async function gated<T>(gate: AnswerGate | null, answer: Promise<T>): Promise<T> {
  if (gate === null) return answer;
  const answered = await gate.within(answer);
  await gate.pass();
  return answered;
}
