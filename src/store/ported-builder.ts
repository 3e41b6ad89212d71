/** Writes a file of ported numbers: sorts runs of them in memory, merges the runs from disk, and names the result by its sum. */
import { constants, fchmodSync, fstatSync, ftruncateSync, lstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { syncPath, writeAll } from "../platform/durable-file.ts";
import { tryLock } from "../platform/file-lock.ts";
import { files } from "../platform/files.ts";
import { portedFileName } from "../platform/ported-files.ts";
import { footerBytes, networkPlaces, recordBytes, upperUnit } from "./ported-file.ts";

/** 32 MB in memory; fifty million numbers are twelve runs. */
const runRecords = 4 * 1024 * 1024;
const pieceRecords = 64 * 1024;
/** More are not looked for: the file is wrong as a whole. */
const conflictsMax = 100;

export interface BuiltTable {
  sum: string;
  numbers: number;
  /** Lines that repeated another. */
  repeated: number;
}

/** Another import builds in the folder. */
export class PortedBuilderBusy extends Error {
  override readonly name = "PortedBuilderBusy";
}

/** A piece of a run at a time. */
class RunReader {
  readonly #descriptor: number;
  readonly #piece = new Uint32Array(2 * pieceRecords);
  #at: number;
  readonly #end: number;
  #next = 0;
  #filled = 0;
  lower = 0;
  upper = 0;

  constructor(descriptor: number, from: number, end: number) {
    this.#descriptor = descriptor;
    this.#at = from;
    this.#end = end;
  }

  /** False at the end. */
  advance(): boolean {
    if (this.#next === this.#filled && !this.#read()) return false;
    this.lower = this.#piece[this.#next] ?? 0;
    this.upper = this.#piece[this.#next + 1] ?? 0;
    this.#next += 2;
    return true;
  }

  #read(): boolean {
    const bytes = Math.min(this.#piece.byteLength, this.#end - this.#at);
    if (bytes === 0) return false;
    const read = readSync(this.#descriptor, new Uint8Array(this.#piece.buffer), 0, bytes, this.#at);
    if (read !== bytes) throw new Error("the file of sorted runs ended early");
    this.#at += bytes;
    this.#next = 0;
    this.#filled = bytes / 4;
    return true;
  }
}

/** Synchronous: for a process of its own. Nothing under the final name changes until all of it is on disk. */
export class PortedBuilder {
  readonly #folder: string;
  readonly #sorting: string;
  readonly #descriptor: number;
  readonly #run: BigUint64Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  #inRun = 0;
  readonly #runEnds: number[] = [];

  /** @throws PortedBuilderBusy, or the system's errors */
  constructor(folder: string, recordsOfRun = runRecords) {
    this.#folder = folder;
    this.#run = new BigUint64Array(recordsOfRun);
    this.#words = new Uint32Array(this.#run.buffer);
    this.#sorting = join(folder, "ported.sorting");
    this.#descriptor = files.open(this.#sorting, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    // The lock of a killed import ended with it, and its file is used again.
    const isOurs = tryLock(this.#descriptor) && this.#isStillThere();
    if (!isOurs) {
      files.close(this.#descriptor);
      throw new PortedBuilderBusy("Another import of ported numbers is under way");
    }
    ftruncateSync(this.#descriptor);
  }

  #isStillThere(): boolean {
    return lstatSync(this.#sorting, { throwIfNoEntry: false })?.ino === fstatSync(this.#descriptor).ino;
  }

  add(number: number, network: number): void {
    const at = 2 * this.#inRun;
    this.#words[at] = (number % upperUnit) * networkPlaces + network;
    this.#words[at + 1] = Math.floor(number / upperUnit);
    this.#inRun += 1;
    if (this.#inRun === this.#run.length) this.#endRun();
  }

  /** The numbers that have two networks, of which none may be; or the table, complete and on disk. */
  finish(networks: readonly string[]): BuiltTable | { conflicts: ReadonlySet<number> } {
    this.#endRun();
    const partial = join(this.#folder, "ported.partial");
    files.remove(partial);
    const target = files.open(partial, "wx", 0o600);
    try {
      const hash = new Bun.CryptoHasher("sha256");
      const write = (bytes: Uint8Array) => {
        hash.update(bytes);
        writeAll(target, bytes);
      };
      const { numbers, repeated, conflicts } = this.#merge(write);
      if (conflicts.size > 0) return { conflicts };
      write(footerBytes({ format: 1, numbers, networks }));
      fchmodSync(target, 0o400);
      files.sync(target);
      const sum = hash.digest("hex");
      files.rename(partial, join(this.#folder, portedFileName(sum)));
      syncPath(this.#folder);
      return { sum, numbers, repeated };
    } finally {
      files.close(target);
      files.remove(partial);
    }
  }

  close(): void {
    files.remove(this.#sorting);
    files.close(this.#descriptor);
  }

  #endRun(): void {
    if (this.#inRun === 0) return;
    this.#run.subarray(0, this.#inRun).sort();
    writeAll(this.#descriptor, new Uint8Array(this.#run.buffer, 0, this.#inRun * recordBytes));
    this.#runEnds.push((this.#runEnds.at(-1) ?? 0) + this.#inRun * recordBytes);
    this.#inRun = 0;
  }

  #merge(write: (bytes: Uint8Array) => void) {
    const heads = this.#runEnds
      .map((end, run) => new RunReader(this.#descriptor, this.#runEnds[run - 1] ?? 0, end))
      .filter((head) => head.advance());
    const piece = new Uint32Array(2 * pieceRecords);
    const conflicts = new Set<number>();
    let [filled, numbers, repeated, lower, upper] = [0, 0, 0, -1, -1];
    while (heads.length > 0 && conflicts.size < conflictsMax) {
      let least = heads[0];
      for (const head of heads) if (least === undefined || isBefore(head, least)) least = head;
      if (least === undefined) break;
      const isSame = upper === least.upper && lower >>> 12 === least.lower >>> 12;
      if (isSame && lower === least.lower) repeated += 1;
      else if (isSame) conflicts.add(upper * upperUnit + (lower >>> 12));
      else {
        [lower, upper] = [least.lower, least.upper];
        piece[filled] = lower;
        piece[filled + 1] = upper;
        filled += 2;
        numbers += 1;
      }
      if (filled === piece.length) {
        write(new Uint8Array(piece.buffer));
        filled = 0;
      }
      if (!least.advance()) heads.splice(heads.indexOf(least), 1);
    }
    write(new Uint8Array(piece.buffer, 0, filled * 4));
    return { numbers, repeated, conflicts };
  }
}

const isBefore = (a: RunReader, b: RunReader): boolean =>
  a.upper < b.upper || (a.upper === b.upper && a.lower < b.lower);
