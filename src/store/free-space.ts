/**
 * Overwrites the free space inside the pages of the database file: SQLite leaves copies of rows there when it moves
 * them between pages, even with secure_delete. VACUUM does it too, but stops the service for a second per 100 MB.
 */
import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import type { ChangedPages } from "./log-frames.ts";

/** Pages per turn of the event loop: two to five milliseconds. */
const slicePages = 512;
/** Offsets and values in bytes: https://www.sqlite.org/fileformat2.html */
const fileHeaderBytes = 100;
/** SQLite never uses the page that contains this byte of the file. */
const lockByte = 0x40000000;
const pointerBytes = 5;
/** Types of B-tree pages in the pointer map. */
const treeTypes: readonly number[] = [1, 5];
const freeType = 2;
/** Header length of a B-tree page, by its first byte. */
const headerBytesOf: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

interface Layout {
  pageBytes: number;
  /** Bytes of a page, excluding those reserved at its end. */
  usableBytes: number;
  pageCount: number;
}

const zeros = new Uint8Array(65_536);

/** Byte offsets in a page; `to` is exclusive. */
export interface FreeRange {
  from: number;
  to: number;
}

export class FreeSpace {
  readonly #database: Database;
  readonly #path: string;
  readonly #forget: () => void;
  /** Closed only after the database: closing any descriptor of a file drops the process's locks on it. */
  #descriptor: number | null = null;

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    // Cached pages still hold what was overwritten in the file, and would write it back at their next change.
    this.#forget = () => void this.#database.run("PRAGMA shrink_memory");
  }

  /** False for a file without a pointer map, which no Peyk release has ever made. */
  get isKnown(): boolean {
    return this.#read(0, fileHeaderBytes).readUInt32BE(52) !== 0;
  }

  /**
   * Overwrites a slice of the file; pages count from 1. Call in the same turn that emptied the log, with no reader
   * active. The slice is on disk on return. Returns where to continue, or null at the end. `wiped` receives the changed
   * pages.
   */
  wipe(firstPage: number, wiped: (pages: ChangedPages) => void = () => {}): number | null {
    const layout = this.#layout();
    const end = Math.min(firstPage + slicePages, layout.pageCount + 1);
    const bytes = this.#read((firstPage - 1) * layout.pageBytes, (end - firstPage) * layout.pageBytes);
    const trunks = this.#trunks(layout);
    const changed = new Map<number, Uint8Array>();
    for (let number = firstPage; number < end; number += 1) {
      const type = this.#typeOf(number, layout);
      const start = (number - firstPage) * layout.pageBytes;
      const page = bytes.subarray(start, start + layout.usableBytes);
      const isTree = number === 1 || treeTypes.includes(type);
      const free = type === freeType ? [{ from: trunks.get(number) ?? 0, to: layout.usableBytes }] : [];
      for (const { from, to } of isTree ? freeRangesOf(page, number === 1 ? fileHeaderBytes : 0) : free) {
        if (page.compare(zeros, 0, to - from, from, to) === 0) continue;
        writeSync(this.#file(), zeros, 0, to - from, (number - 1) * layout.pageBytes + from);
        page.fill(0, from, to);
        changed.set(number, bytes.subarray(start, start + layout.pageBytes));
      }
    }
    if (changed.size > 0) {
      this.#forget();
      // Synced slice by slice: syncing a large file only at its end would block the event loop for long.
      fsyncSync(this.#file());
      wiped({ pageBytes: layout.pageBytes, pageCount: layout.pageCount, pages: changed });
    }
    return end <= layout.pageCount ? end : null;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** The page's type in the pointer map; 0 if it has no entry. */
  #typeOf(number: number, { pageBytes, usableBytes }: Layout): number {
    if (number === 1) return 0;
    const lockPage = lockByte / pageBytes + 1;
    const pagesOfMap = Math.floor(usableBytes / pointerBytes) + 1;
    const first = Math.floor((number - 2) / pagesOfMap) * pagesOfMap + 2;
    const map = first === lockPage ? first + 1 : first;
    if (number === lockPage || number <= map) return 0;
    return this.#read((map - 1) * pageBytes + pointerBytes * (number - map - 1), 1).readUInt8(0);
  }

  /**
   * Free pages that list other free pages, and the bytes each list takes: one page in a thousand. The rest of such a
   * page was free before secure_delete.
   */
  #trunks({ pageBytes, pageCount }: Layout): Map<number, number> {
    const trunks = new Map<number, number>();
    let next = this.#read(32, 4).readUInt32BE(0);
    while (next !== 0 && next <= pageCount && !trunks.has(next)) {
      const head = this.#read((next - 1) * pageBytes, 8);
      trunks.set(next, 8 + 4 * head.readUInt32BE(4));
      next = head.readUInt32BE(0);
    }
    return trunks;
  }

  #layout(): Layout {
    const header = this.#read(0, fileHeaderBytes);
    const told = header.readUInt16BE(16);
    const pageBytes = told === 1 ? 65_536 : told;
    const usableBytes = pageBytes - header.readUInt8(20);
    return { pageBytes, usableBytes, pageCount: Math.floor(fstatSync(this.#file()).size / pageBytes) };
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#file(), bytes, 0, length, offset);
    return bytes;
  }

  #file(): number {
    this.#descriptor ??= openSync(this.#path, "r+");
    return this.#descriptor;
  }
}

/**
 * The free ranges between the cells of a B-tree page; empty if it is not one. `header`: offset of the page's own
 * header.
 */
export function freeRangesOf(page: Buffer, header: number): FreeRange[] {
  const headerBytes = headerBytesOf[page.readUInt8(header)];
  if (headerBytes === undefined) return [];
  const from = header + headerBytes + 2 * page.readUInt16BE(header + 3);
  const to = page.readUInt16BE(header + 5) || 65_536;
  if (from > to || to > page.length) return [];
  const ranges = [{ from, to }];
  // Freed cells form a list: each begins with the offset of the next and its own length.
  for (let at = page.readUInt16BE(header + 1); at !== 0; ) {
    if (at < to || at + 4 > page.length) return [];
    const [next, length] = [page.readUInt16BE(at), page.readUInt16BE(at + 2)];
    if (length < 4 || at + length > page.length || (next !== 0 && next < at + length)) return [];
    ranges.push({ from: at + 4, to: at + length });
    at = next;
  }
  return ranges;
}
