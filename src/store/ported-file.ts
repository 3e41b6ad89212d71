/**
 * The table of ported numbers: a sorted file beside the database, mapped into memory. Fifty million numbers are 400 MB of
 * page cache; a look-up in SQLite took ten times as long. Its name holds its sum, so a file is never written over.
 */
import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { openRegularFile } from "../platform/durable-file.ts";
import { errorCode } from "../platform/error-code.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { portedFileName } from "../platform/ported-files.ts";

/** A record: 52 bits of the number, then 12 of its network's place in the footer's list, the lower half first. */
export const recordBytes = 8;
export const networkPlaces = 4_096;
/** A number is split where its upper half begins. */
export const upperUnit = 2 ** 20;
/** The directory has the first number of each block: 1.6 MB for fifty million. */
const blockRecords = 256;
const chunkBytes = 1024 * 1024;
const footerBytesMax = 1024 * 1024;

export interface PortedFooter {
  format: 1;
  numbers: number;
  networks: readonly string[];
}

/** `missing`: there is no such file; `damaged`: it is another one. */
export class PortedFileUnusable extends Error {
  override readonly name = "PortedFileUnusable";

  constructor(
    readonly problem: "missing" | "damaged",
    options?: ErrorOptions,
  ) {
    super(`The file of ported numbers is ${problem}`, options);
  }
}

/** The digits of an E.164 number; unlike its position among all, also its length counts. */
export function portedNumber(e164: string): number {
  let digits = 0;
  for (let index = 1; index < e164.length; index += 1) digits = digits * 10 + (e164.charCodeAt(index) - 48);
  return digits;
}

/** After the records: JSON, then its length in the last four bytes. */
export function footerBytes(footer: PortedFooter): Uint8Array {
  const json = Buffer.from(JSON.stringify(footer));
  const end = Buffer.alloc(4);
  end.writeUInt32LE(json.length);
  return Buffer.concat([json, end]);
}

export class PortedFile {
  readonly numbers: number;
  readonly networks: readonly string[];
  readonly #starts: Float64Array;
  readonly #records: Uint32Array;

  private constructor({ numbers, networks }: PortedFooter, starts: Float64Array, records: Uint32Array) {
    this.numbers = numbers;
    this.networks = networks;
    this.#starts = starts;
    this.#records = records;
  }

  /** Reads all of it once, in turns, to check its sum. @throws PortedFileUnusable, or the system's errors */
  static async open(folder: string, sum: string): Promise<PortedFile> {
    const path = join(folder, portedFileName(sum));
    const descriptor = opened(path);
    try {
      const { size } = fstatSync(descriptor);
      const footer = footerOf(descriptor, size);
      const starts = new Float64Array(Math.ceil(footer.numbers / blockRecords));
      const hash = new Bun.CryptoHasher("sha256");
      const chunk = new Uint8Array(chunkBytes);
      const words = new Uint32Array(chunk.buffer);
      for (let at = 0, block = 0; at < size; at += chunkBytes) {
        const read = readSync(descriptor, chunk, 0, chunkBytes, at);
        hash.update(chunk.subarray(0, read));
        for (let word = 0; word * 4 < read && block < starts.length; word += 2 * blockRecords, block += 1)
          starts[block] = numberAt(words, word);
        await nextTurn();
      }
      if (hash.digest("hex") !== sum) throw new PortedFileUnusable("damaged");
      const mapped = Bun.mmap(path, { shared: false });
      return new PortedFile(footer, starts, new Uint32Array(mapped.buffer, mapped.byteOffset, 2 * footer.numbers));
    } finally {
      closeSync(descriptor);
    }
  }

  /** The place of its network in `networks`; -1 for a number that is not in the table. */
  find(number: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= number) low = middle + 1;
      else high = middle;
    }
    const records = this.#records;
    high = Math.min(low * blockRecords, this.numbers);
    low = Math.max(0, low - 1) * blockRecords;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = numberAt(records, 2 * middle);
      if (found === number) return (records[2 * middle] ?? 0) % networkPlaces;
      if (found < number) low = middle + 1;
      else high = middle;
    }
    return -1;
  }
}

const numberAt = (words: Uint32Array, word: number): number =>
  (words[word + 1] ?? 0) * upperUnit + ((words[word] ?? 0) >>> 12);

function opened(path: string): number {
  try {
    return openRegularFile(path);
  } catch (reason) {
    throw new PortedFileUnusable(errorCode(reason) === "ENOENT" ? "missing" : "damaged", { cause: reason });
  }
}

function footerOf(descriptor: number, size: number): PortedFooter {
  const end = Buffer.alloc(4);
  if (size < end.length || readSync(descriptor, end, 0, 4, size - 4) < 4) throw new PortedFileUnusable("damaged");
  const length = end.readUInt32LE();
  if (length > Math.min(footerBytesMax, size - 4)) throw new PortedFileUnusable("damaged");
  const json = Buffer.alloc(length);
  readSync(descriptor, json, 0, length, size - 4 - length);
  const footer = footerIn(json.toString());
  if (footer === null || footer.numbers * recordBytes + length + 4 !== size) throw new PortedFileUnusable("damaged");
  return footer;
}

function footerIn(json: string): PortedFooter | null {
  try {
    const footer: PortedFooter = JSON.parse(json);
    return footer.format === 1 ? footer : null;
  } catch {
    return null;
  }
}
