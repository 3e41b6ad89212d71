/**
 * How far the log was synced, in a small file beside the database: SQLite treats a truncated or missing log as one that
 * never held more. Written after each sync but never synced itself, so after a power cut it may name less than was
 * there.
 */
import { closeSync, constants, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "../platform/durable-file.ts";
import { files } from "../platform/files.ts";
import { LogDamaged, type LogReport } from "./log-check.ts";

/** Where the log ended after a commit. */
export interface LogPosition {
  /** The eight bytes of the log's header that change whenever the log restarts. */
  salt: Uint8Array;
  /** Pages up to the end of the last transaction. */
  frames: number;
}

/**
 * A page that the log replaces, and the checksum of that page in the database file. If the file's page has changed,
 * somebody checkpointed the log: another program that opens the database after a kill does so on close, and removes the
 * log.
 */
export interface Witness {
  /** Page number, from 1. */
  page: number;
  sum: bigint;
}

/** Offsets and lengths in bytes; numbers are big-endian, as in the log. */
const magic = "PeykLog1";
const framesAt = 8;
const schemaAt = 12;
const saltAt = 16;
const saltBytes = 8;
const witnessPageAt = 24;
const witnessSumAt = 28;
const sumAt = 36;
const markBytes = 40;

/** Offsets in the database's header; the cookie is a counter that every schema change increments. */
const pageSizeAt = 16;
const schemaCookieAt = 40;
/** The first half of the salt numbers the logs; one that is up to this far behind is an older log. */
const olderLogsMax = 65_536;

export const markPathOf = (databasePath: string) => `${databasePath}-synced`;

/**
 * Marks to remove when the process exits: however it exits, Bun has SQLite close what is open, which empties the log.
 */
const live = new Set<LogMark>();

function removeLive(): void {
  for (const mark of live) mark.remove();
}

export class LogMark {
  readonly #path: string;
  readonly #bytes = Buffer.alloc(markBytes);
  #descriptor: number | null = null;

  constructor(databasePath: string) {
    this.#path = markPathOf(databasePath);
    this.#bytes.write(magic, "latin1");
    if (live.size === 0) process.on("exit", removeLive);
    live.add(this);
  }

  /** The schema cookie that the database file itself held when it was opened. */
  set schema(cookie: number) {
    this.#bytes.writeUInt32BE(cookie, schemaAt);
  }

  /** True if a log with this salt needs a witness. */
  lacksWitness(salt: Uint8Array): boolean {
    return (
      this.#bytes.readUInt32BE(witnessPageAt) === 0 ||
      this.#bytes.compare(salt, 0, saltBytes, saltAt, saltAt + saltBytes) !== 0
    );
  }

  /** Null if none is known yet. */
  set witness(witness: Witness | null) {
    this.#bytes.writeUInt32BE(witness?.page ?? 0, witnessPageAt);
    this.#bytes.writeBigUInt64BE(witness?.sum ?? 0n, witnessSumAt);
  }

  /** Records with a single write that the log was synced up to this position. Throws the system's errors. */
  note({ salt, frames }: LogPosition): void {
    this.#bytes.set(salt, saltAt);
    this.#bytes.writeUInt32BE(frames, framesAt);
    this.#bytes.writeUInt32BE(sumOf(this.#bytes), sumAt);
    this.#descriptor ??= files.open(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    files.write(this.#descriptor, this.#bytes, 0);
  }

  /** Call before the log is emptied: when this returns, the mark is gone from the disk. */
  remove(): void {
    this.#close();
    removeMark(this.#path);
  }

  /** Removes the mark for good. */
  end(): void {
    this.remove();
    this.#forget();
  }

  /** Leaves the mark as it is for the next start. */
  keep(): void {
    this.#close();
    this.#forget();
  }

  #close(): void {
    if (this.#descriptor !== null) files.close(this.#descriptor);
    this.#descriptor = null;
  }

  #forget(): void {
    live.delete(this);
    if (live.size === 0) process.off("exit", removeLive);
  }
}

/** Removes the mark of a database that is being replaced. `path`: of the mark. */
export function removeMark(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  files.remove(path);
  syncPath(dirname(path));
}

/**
 * Refuses a log that holds less than was synced, or an older log. `found`: null if there is none. @throws LogDamaged
 */
export function refuseShortLog(databasePath: string, found: LogReport | null): void {
  const mark = readMark(databasePath);
  if (mark === null || isOfOtherDatabase(databasePath, mark.schema)) return;
  const why = shortageOf(found, mark, databasePath);
  if (why === null) return;
  const at = statSync(mark.path).mtime.toISOString();
  throw new LogDamaged(`${databasePath}-wal`, `${why}, the last at ${at} (as ${mark.path} says)`);
}

interface Mark extends LogPosition {
  path: string;
  schema: number;
  salt: Buffer;
  witness: Witness;
}

/** Null if there is none, or if a power cut left it unwritten. */
function readMark(databasePath: string): Mark | null {
  const path = markPathOf(databasePath);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const bytes = readFileSync(path);
  if (bytes.length < markBytes || bytes.toString("latin1", 0, magic.length) !== magic) return null;
  if (bytes.readUInt32BE(sumAt) !== sumOf(bytes)) return null;
  return {
    path,
    frames: bytes.readUInt32BE(framesAt),
    schema: bytes.readUInt32BE(schemaAt),
    salt: bytes.subarray(saltAt, saltAt + saltBytes),
    witness: { page: bytes.readUInt32BE(witnessPageAt), sum: bytes.readBigUInt64BE(witnessSumAt) },
  };
}

/** Null if nothing is missing. */
function shortageOf(found: LogReport | null, { frames, salt, witness }: Mark, databasePath: string): string | null {
  const committed = `but ${frames} pages were committed to it`;
  if (found?.salt == null) {
    if (isTakenIn(databasePath, witness)) return null;
    const what = found === null ? "it is missing or empty" : "it does not begin as a log of SQLite";
    return `${what}, ${committed}`;
  }
  if (found.salt.equals(salt))
    return found.frames < frames ? `it ends after ${found.frames} pages, ${committed}` : null;
  const logsBehind = (salt.readUInt32BE(0) - found.salt.readUInt32BE(0)) >>> 0;
  const isOlder = logsBehind > 0 && logsBehind <= olderLogsMax;
  return isOlder ? `it is an older log, but ${frames} pages were committed to a newer one` : null;
}

/** Without a witness, the log held only writes that changed nothing. */
function isTakenIn(databasePath: string, { page, sum }: Witness): boolean {
  if (page === 0) return true;
  const descriptor = openSync(databasePath, "r");
  try {
    const told = Buffer.alloc(2);
    readSync(descriptor, told, 0, 2, pageSizeAt);
    const size = told.readUInt16BE(0);
    return pageSum(descriptor, page, size === 1 ? 65_536 : size) !== sum;
  } finally {
    closeSync(descriptor);
  }
}

/** The checksum of a page of the database file, which may end before it. */
export function pageSum(descriptor: number, page: number, pageBytes: number): bigint {
  const bytes = Buffer.alloc(pageBytes);
  return contentSum(bytes.subarray(0, readSync(descriptor, bytes, 0, pageBytes, (page - 1) * pageBytes)));
}

export const contentSum = (bytes: Uint8Array): bigint => Bun.hash.wyhash(bytes);

/**
 * True if the database file has an older schema than the mark: a failed upgrade put it back, using the installer of a
 * release without marks. Every migration is in the file before the first mark is written.
 */
function isOfOtherDatabase(databasePath: string, schema: number): boolean {
  return schemaCookieOf(databasePath) < schema;
}

/**
 * Reads the file alone, without its log; 0 if there is none. Only call before SQLite opens the file: this would drop
 * its locks.
 */
export function schemaCookieOf(databasePath: string): number {
  const found = statSync(databasePath, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size < schemaCookieAt + 4) return 0;
  const descriptor = openSync(databasePath, "r");
  try {
    const bytes = Buffer.alloc(4);
    readSync(descriptor, bytes, 0, 4, schemaCookieAt);
    return bytes.readUInt32BE(0);
  } finally {
    closeSync(descriptor);
  }
}

const sumOf = (bytes: Uint8Array): number => Bun.hash.crc32(bytes.subarray(0, sumAt));
