/** What a cluster needs from its engine: it stores the log and the lease, and decides who may write. */
import type { Clock } from "../platform/clock.ts";
import type { Entry, EntryName } from "./entry.ts";

/** Identifies the log that an engine holds. */
export interface LogIdentity {
  /** The id of the installation, as in `peyk.id`. */
  installation: string;
  /** Changes with `cluster init` and a restore: older nodes cannot write to the log. */
  generation: string;
  /** Identifies the key file that seals entries. */
  keyCheck: Uint8Array;
}

/** The newest entry. */
export interface Head extends EntryName {
  sum: Uint8Array;
}

/** The lease, as just read. */
export interface LeaseState {
  epoch: number;
  /** The leading node; null if it handed over or stopped. */
  holder: string | null;
  /** Changes with each renewal. */
  counter: number;
  /** The newest entry that the leader knows to be replicated. */
  acknowledged: number;
  /** Who should lead next; null for any node. */
  next: string | null;
}

/** What a node reports of its frequent copies. */
export type CopyAges = Pick<NodeState, "copiedMsAgo" | "shippedMsAgo">;

/** How a node's database file differs from the leader's. */
export interface Difference {
  /** The entry at which it was found. */
  entry: number;
  /** Page numbers; at most 64. */
  pages: number[];
  /** Whose pages are wrong, by the entries that the log still holds; `unknown` where these do not reach. */
  wrong: "own" | "leader" | "unknown";
  /** The node that led when it was found; null or left out where that is not known. */
  leader?: string | null;
}

/** A node, as it last reported itself. */
export interface NodeState {
  name: string;
  /** Random id of its folder, to tell apart two nodes with the same name. */
  instance: string;
  /** Its file has the log up to here. */
  position: number;
  version: string;
  schema: number;
  settingsSum: string;
  /** Age of its newest frequent copy, and of the newest one that was brought elsewhere; null for none. */
  copiedMsAgo: number | null;
  shippedMsAgo: number | null;
  /** Its disk takes writes, and has some room; null for a version that does not tell. */
  canWrite: boolean | null;
  /** The program that has its database open, which it waits for before it follows; null for none. */
  heldBy: string | null;
  /** The newest entry at which it compared its pages since it began to follow; null for none, or if it does not tell. */
  compared: number | null;
  /** How its file differs from the leader's. */
  differs: Difference | null;
  /** The file of ported numbers that it uses, or has for its turn; null for none, or if it does not tell. */
  ported: string | null;
  /** Milliseconds since it last reported, by the engine's clock. */
  seenMsAgo: number;
}

/** A risk in the engine's own setup; null if none is known. */
export interface EngineHealth {
  version: number;
  isSynchronous: boolean;
  hasFsync: boolean;
  logBytes: number;
}

/** The engine does not respond, or cannot hold a log; the message says why. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** What the leader needs; each call is one statement without an explicit transaction. */
export interface LogWriter {
  /** Writes a piece other than the entry's last. */
  addPiece(entry: Entry, piece: number): Promise<void>;
  /**
   * Completes an entry whose other pieces are stored: only directly after the previous entry, whose sum is `before`,
   * and only while the entry's epoch is the newest; otherwise false. Resolves once it is replicated.
   */
  append(entry: Entry, before: Uint8Array): Promise<boolean>;
  head(): Promise<Head>;
  /** The newest epoch. */
  epoch(): Promise<number>;
  /**
   * Resolves after another replicated commit, so what was readable before is replicated, too. False for an older epoch.
   */
  confirm(epoch: number): Promise<boolean>;
  /** Ends the connection, whatever it is waiting for; the next call opens another. */
  reconnect(): void;
}

export interface LogReader {
  identity(): Promise<LogIdentity | null>;
  /** The entries after this one, in order, up to and including `last`; only the first of them if there are many. */
  read(after: number, last: number): Promise<Entry[]>;
  /** The random id of the epoch's key. */
  keyId(epoch: number): Promise<Uint8Array>;
  head(): Promise<Head>;
  /** The sum of an entry that is still in the log; otherwise null. */
  sum(sequence: number): Promise<Uint8Array | null>;
}

/** The lease, and the nodes' reports about themselves. */
export interface Lease {
  state(): Promise<LeaseState | null>;
  /** Null if another node leads, otherwise who should lead next: a node's name, `*` for any, or null for nobody. */
  renew(epoch: number, acknowledged: number): Promise<{ next: string | null } | null>;
  /** The named node, or any node that is waiting, may lead at once. */
  release(epoch: number, acknowledged: number, next: string | null): Promise<void>;
  /**
   * Takes the lead if nothing changed since `seen`, and returns the new epoch; otherwise null. The session must be
   * replicated: everything readable once this has returned is then replicated, too.
   */
  takeOver(seen: LeaseState, node: string, keyId: Uint8Array): Promise<number | null>;
  /** Ends the sessions of leaders of any other epoch: one that vanished could hold locks until the engine notices. */
  endOlderSessions(epoch: number): Promise<void>;
  tell(node: Omit<NodeState, "seenMsAgo">): Promise<void>;
  nodes(): Promise<NodeState[]>;
  health(): Promise<EngineHealth>;
}

/** When a commit returns: replicated ones wait for the synchronous standby. */
export interface SessionOptions {
  /** Shown by pg_stat_activity, and used to find a leader's session. */
  name: string;
  isReplicated: boolean;
  /** A statement without an answer after this time ends the connection; left out if the caller decides. */
  patience?: { clock: Pick<Clock, "after">; answerMsMax: number };
}

/** One connection, opened by its first statement and again after it breaks. */
export interface EngineSession {
  readonly lease: Lease;
  readonly reader: LogReader;
  readonly writer: LogWriter;
  /**
   * Drops entries up to `position`, and if the log exceeds its limit those up to `positionMax`. Returns how many tables
   * went.
   */
  dropOldEntries(position: number, bytesMax: number, positionMax: number): Promise<number>;
  /** Ends the connection, whatever it is waiting for; the next call opens another. */
  reconnect(): void;
  close(): Promise<void>;
}

export interface Engine {
  session(options: SessionOptions): EngineSession;
}
