/**
 * Checks the log after an unclean end: SQLite silently drops everything after a damaged frame, including acknowledged
 * commits.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The log is damaged before commits that were acknowledged. */
export class LogDamaged extends Error {
  override readonly name = "LogDamaged";

  constructor(log: string, why: string) {
    super(
      `${log} is damaged: ${why}. A start would lose accepted messages without a word, so nothing was changed. ` +
        "Restore the newest copy (peyk backup restore --help), or go on without what the log has lost (docs: troubleshooting).",
    );
  }
}

/** Sizes and offsets in bytes: https://www.sqlite.org/fileformat2.html#walformat */
export const logHeaderBytes = 32;
export const frameHeaderBytes = 24;
const pageSizes: readonly number[] = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536];
/** Only big-endian machines write big-endian checksums (…83). */
const littleEndianMagic = 0x377f0682;

export interface LogSums {
  first: number;
  second: number;
}

interface Frame {
  page: number;
  /** True if a transaction ends here. */
  commits: boolean;
  /** Bytes 8 to 16 of the frame's header: which run of the log it belongs to. */
  salt: string;
  sums: LogSums;
  bytes: Buffer;
}

export interface LogReport {
  /** Which run of the log it is; null if the header is not SQLite's. */
  salt: Buffer | null;
  /** Transactions that SQLite will recover. */
  commits: number;
  /** Frames up to the end of the last of those transactions. */
  frames: number;
  /** The pages that those frames replace. */
  pages: ReadonlySet<number>;
  pageBytes: number;
}

/** Reads the log from disk and verifies its checksums. @throws LogDamaged */
export function checkLog(log: string): LogReport {
  const descriptor = openSync(log, "r");
  try {
    return new LogReader(log, descriptor).check();
  } finally {
    closeSync(descriptor);
  }
}

class LogReader {
  readonly #log: string;
  readonly #descriptor: number;
  readonly #header: Buffer;
  #pageBytes = 0;
  #frameCount = 0;

  constructor(log: string, descriptor: number) {
    this.#log = log;
    this.#descriptor = descriptor;
    this.#header = this.#bytesAt(0, logHeaderBytes);
    const claimed = this.#header.readUInt32BE(8);
    this.#cutInto(pageSizes.includes(claimed) ? claimed : 4_096);
  }

  #cutInto(pageBytes: number): void {
    this.#pageBytes = pageBytes;
    const length = Math.max(0, fstatSync(this.#descriptor).size - logHeaderBytes);
    this.#frameCount = Math.floor(length / (frameHeaderBytes + pageBytes));
  }

  check(): LogReport {
    const salt = this.#header.toString("latin1", 16, 24);
    if (!this.#hasSoundHeader()) {
      for (const pageBytes of pageSizes) {
        // The size itself may be what is wrong.
        this.#cutInto(pageBytes);
        this.#refuseCommitsFrom(0, null, "its header is not the one that SQLite wrote");
      }
      return { salt: null, commits: 0, frames: 0, pages: new Set(), pageBytes: this.#pageBytes };
    }
    let sums = sumsIn(this.#header, 24);
    let commits = 0;
    let frames = 0;
    const pages = new Set<number>();
    for (let index = 0; index < this.#frameCount; index += 1) {
      const frame = this.#frame(index);
      if (frame.salt !== salt || !follows(frame, sums)) {
        this.#refuseCommitsFrom(index, salt, `frame ${index + 1} of ${this.#frameCount} is not what was written`);
        break;
      }
      sums = frame.sums;
      pages.add(frame.page);
      if (!frame.commits) continue;
      commits += 1;
      frames = index + 1;
    }
    return { salt: this.#header.subarray(16, 24), commits, frames, pages, pageBytes: this.#pageBytes };
  }

  #hasSoundHeader(): boolean {
    if (this.#header.readUInt32BE(0) !== littleEndianMagic) return false;
    const { first, second } = summed({ first: 0, second: 0 }, this.#header.subarray(0, 24));
    const told = sumsIn(this.#header, 24);
    return first === told.first && second === told.second;
  }

  /**
   * A power cut can only tear the transaction being written: the next one is written after the previous one is synced.
   * So a commit followed by a frame that continues its checksum was once on disk, and so was everything before it.
   */
  #refuseCommitsFrom(start: number, salt: string | null, why: string): void {
    for (let index = start; index + 1 < this.#frameCount; index += 1) {
      const frame = this.#frame(index);
      if (!frame.commits || (salt !== null && frame.salt !== salt)) continue;
      const next = this.#frame(index + 1);
      if (next.salt === frame.salt && follows(next, frame.sums)) throw new LogDamaged(this.#log, why);
    }
  }

  #frame(index: number): Frame {
    const length = frameHeaderBytes + this.#pageBytes;
    const bytes = this.#bytesAt(logHeaderBytes + index * length, length);
    return {
      page: bytes.readUInt32BE(0),
      commits: bytes.readUInt32BE(4) !== 0,
      salt: bytes.toString("latin1", 8, 16),
      sums: sumsIn(bytes, 16),
      bytes,
    };
  }

  #bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#descriptor, bytes, 0, length, offset);
    return bytes;
  }
}

export function sumsIn(bytes: Buffer, offset: number): LogSums {
  return { first: bytes.readUInt32BE(offset), second: bytes.readUInt32BE(offset + 4) };
}

/** Each frame's checksum continues from the previous frame's; its own salt and checksum fields are left out. */
function follows({ bytes, sums }: Frame, before: LogSums): boolean {
  const { first, second } = summed(summed(before, bytes.subarray(0, 8)), bytes.subarray(frameHeaderBytes));
  return first === sums.first && second === sums.second;
}

/** SQLite's checksum over little-endian 32-bit words, two at a time. Signed arithmetic: unsigned took 3.4 times as long. */
export function summed({ first, second }: LogSums, bytes: Buffer): LogSums {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let one = first | 0;
  let two = second | 0;
  for (let index = 0; index < words.length; index += 2) {
    one = (one + (words[index] ?? 0) + two) | 0;
    two = (two + (words[index + 1] ?? 0) + one) | 0;
  }
  return { first: one >>> 0, second: two >>> 0 };
}
