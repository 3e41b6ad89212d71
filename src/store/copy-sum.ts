/**
 * The checksum at the end of a copy, which detects any change to the file. SQLite never reads past the last page, so
 * the copy remains a valid database.
 */
import { createHash, type Hash } from "node:crypto";
import { fstatSync, readSync, writeSync } from "node:fs";
import { readContent } from "../platform/durable-file.ts";

export interface SumState {
  /** `none`: made by an older Peyk, or a database rather than a copy. */
  sum: "right" | "wrong" | "none";
  /** Without the checksum. */
  contentBytes: number;
}

const before = "\npeyk copy, sha256 ";
const lineBytes = before.length + 64 + 1;
const line = /^\npeyk copy, sha256 ([0-9a-f]{64})\n$/;
const headerBytes = 100;
/** The first bytes of every database (SQLite's file format, 1.3.1). */
export const databaseMagic = "SQLite format 3\0";

/** Appends the checksum of the database to its file. */
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

/** True if nothing follows the database in the file, not even a damaged checksum (SQLite's file format, 1.3). */
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
