/** The sum that ends a copy: it tells every change to the file. SQLite never reads past the last page, so the copy stays a database. */
import { createHash, type Hash } from "node:crypto";
import { fstatSync, readSync, writeSync } from "node:fs";
import { readContent } from "../platform/durable-file.ts";

export interface SumState {
  /** None: made by an older Peyk, or no copy but a database. */
  sum: "right" | "wrong" | "none";
  /** Without the sum. */
  contentBytes: number;
}

const before = "\npeyk copy, sha256 ";
const lineBytes = before.length + 64 + 1;
const line = /^\npeyk copy, sha256 ([0-9a-f]{64})\n$/;
const headerBytes = 100;
/** What every database begins with (SQLite's file format, 1.3.1). */
export const databaseMagic = "SQLite format 3\0";

/** Ends the database in the file with its sum. */
export function appendSum(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  writeSync(descriptor, `${before}${sumOf(descriptor, size)}\n`, size);
}

export function checkSum(descriptor: number): SumState {
  const { size } = fstatSync(descriptor);
  const found = line.exec(textAt(descriptor, Math.max(0, size - lineBytes), lineBytes))?.[1];
  if (found === undefined) return { sum: endsAtLastPage(descriptor, size) ? "none" : "wrong", contentBytes: size };
  const contentBytes = size - lineBytes;
  return { sum: sumOf(descriptor, contentBytes) === found ? "right" : "wrong", contentBytes };
}

/** Whether nothing follows the database in the file, not even a sum that was spoilt (SQLite's file format, 1.3). */
function endsAtLastPage(descriptor: number, size: number): boolean {
  const header = Buffer.alloc(headerBytes);
  readSync(descriptor, header, 0, headerBytes, 0);
  if (header.toString("latin1", 0, databaseMagic.length) !== databaseMagic) return true;
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return pageBytes > 0 && size % pageBytes === 0;
}

function sumOf(descriptor: number, bytes: number): string {
  const hash: Hash = createHash("sha256");
  readContent(descriptor, bytes, (chunk) => hash.update(chunk));
  return hash.digest("hex");
}

function textAt(descriptor: number, at: number, bytes: number): string {
  const text = Buffer.alloc(bytes);
  return text.toString("latin1", 0, readSync(descriptor, text, 0, bytes, at));
}
