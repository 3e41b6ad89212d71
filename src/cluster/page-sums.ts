/** Sums of a range of pages, as one node reads them from its file at one entry of the log, for another to compare. */
import { readSync } from "node:fs";

export interface PageSums {
  /** Number of the first page, from 1. */
  first: number;
  /** One for each page. */
  sums: Uint32Array;
}

export interface PageRange {
  pageBytes: number;
  first: number;
  count: number;
}

/** SQLite never writes the page that contains this byte of the file. */
const lockByte = 0x40000000;
const numberBytes = 4;

/** A page beyond the file's end counts as zeros. */
export function pageSumsIn(descriptor: number, { pageBytes, first, count }: PageRange): PageSums {
  const bytes = Buffer.alloc(count * pageBytes);
  readSync(descriptor, bytes, 0, bytes.length, (first - 1) * pageBytes);
  const sums = new Uint32Array(count);
  for (let index = 0; index < count; index += 1)
    sums[index] = isLockPage(first + index, pageBytes)
      ? 0
      : imageSum(bytes.subarray(index * pageBytes, (index + 1) * pageBytes));
  return { first, sums };
}

export const imageSum = (page: Uint8Array): number => Bun.hash.xxHash32(page);

const isLockPage = (page: number, pageBytes: number) => page === lockByte / pageBytes + 1;

/** Numbers of the pages whose sums differ. */
export function differingPages(one: PageSums, other: PageSums): number[] {
  return [...one.sums.keys()]
    .filter((index) => one.sums[index] !== other.sums[index])
    .map((index) => one.first + index);
}

/** u32: first page, pages, a sum for each. Little-endian. */
export function packSums({ first, sums }: PageSums): Uint8Array {
  const bytes = Buffer.alloc(numberBytes * (2 + sums.length));
  for (const [index, value] of [first, sums.length, ...sums].entries()) bytes.writeUInt32LE(value, numberBytes * index);
  return bytes;
}

/** Null where there are none. */
export function unpackSums(packed: Uint8Array): PageSums | null {
  if (packed.length < 2 * numberBytes) return null;
  const bytes = Buffer.from(packed);
  const count = bytes.readUInt32LE(numberBytes);
  const sums = Uint32Array.from({ length: count }, (_, index) => bytes.readUInt32LE(numberBytes * (2 + index)));
  return { first: bytes.readUInt32LE(0), sums };
}
