/**
 * Entries of the cluster's log: the pages that commits changed, compressed, sealed in pieces, and chained by their
 * sums.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import type { ChangedPages } from "../store/log-frames.ts";
import { type PageSums, packSums, unpackSums } from "./page-sums.ts";

/** One entry of the log, holding the changes of one or more commits. */
export interface EntryName {
  /** Counts the take-overs, and so identifies the writer. */
  epoch: number;
  /** Counts the entries, without gaps. */
  sequence: number;
}

export interface Entry extends EntryName {
  /** Sealed. The entry is complete once the last one is stored. */
  pieces: Uint8Array[];
  /** Hash over its pieces and the previous entry's sum. */
  sum: Uint8Array;
}

/** What an entry, or a piece of it, holds. */
export interface EntryContent extends ChangedPages {
  /** Of pages as they are before this entry; only in its first piece. */
  sums?: PageSums | null;
}

/** A key file or an entry is invalid; the message says how. */
export class EntryUnreadable extends Error {
  override readonly name = "EntryUnreadable";
}

const format = 1;
/** Pages per piece: 4 MiB before compression. */
const pagesPerPiece = 1_024;
const headBytes = 16;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const zstdLevel = 1;
const noSums = new Uint8Array();

/** What entries are sealed with: the key of an epoch, and the identity of the log. */
export interface EpochKey {
  /** Identifies the installation and the generation of its log. */
  log: string;
  key: Uint8Array;
}

/** `id` is random for each take-over, so that a nonce, made of sequence and piece, is never reused under one key. */
export function epochKey(secretKey: Uint8Array, id: Uint8Array, log: string): EpochKey {
  return { log, key: new Uint8Array(hkdfSync("sha256", secretKey, id, "peyk cluster entry", keyBytes)) };
}

/** Shows whether two nodes have the same key file, without revealing the key. */
export const keyCheck = (secretKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secretKey, new Uint8Array(), "peyk cluster key check", keyBytes));

/** Seals the pages once: a resent entry is identical octet for octet. */
export function sealEntry(name: EntryName, changed: EntryContent, epoch: EpochKey, before: Uint8Array): Entry {
  const pieces = [...piecesOf(changed)].map((packed, index) => sealPiece(name, index, packed, epoch));
  return { ...name, pieces, sum: sumOf(before, pieces) };
}

/** The pages of an entry, one piece at a time. @throws EntryUnreadable */
export function* openEntry(entry: Entry, epoch: EpochKey, before: Uint8Array): Generator<EntryContent> {
  if (Buffer.compare(sumOf(before, entry.pieces), entry.sum) !== 0)
    throw new EntryUnreadable(`Entry ${entry.sequence} does not follow the one before it, or was changed since`);
  for (const [index, sealed] of entry.pieces.entries()) yield unpack(openPiece(entry, index, sealed, epoch));
}

function sumOf(before: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha256").update(before);
  for (const piece of pieces) hash.update(createHash("sha256").update(piece).digest());
  return hash.digest();
}

/**
 * u32: format, page size, pages in the database, pages here; u32 page numbers; pages; sums, which earlier versions do not
 * read. Little-endian; zstd.
 */
function* piecesOf({ pageBytes, pageCount, pages, sums = null }: EntryContent): Generator<Uint8Array> {
  const all = [...pages];
  for (let from = 0; from === 0 || from < all.length; from += pagesPerPiece) {
    const some = all.slice(from, from + pagesPerPiece);
    const contentAt = headBytes + 4 * some.length;
    const told = from === 0 && sums !== null ? packSums(sums) : noSums;
    const sumsAt = contentAt + some.length * pageBytes;
    const bytes = Buffer.allocUnsafe(sumsAt + told.length);
    bytes.set(told, sumsAt);
    for (const [index, field] of [format, pageBytes, pageCount, some.length].entries())
      bytes.writeUInt32LE(field, 4 * index);
    for (const [index, [page, content]] of some.entries()) {
      bytes.writeUInt32LE(page, headBytes + 4 * index);
      bytes.set(content, contentAt + index * pageBytes);
    }
    yield Bun.zstdCompressSync(bytes, { level: zstdLevel });
  }
}

function unpack(packed: Uint8Array): EntryContent {
  const bytes = Buffer.from(Bun.zstdDecompressSync(packed));
  if (bytes.readUInt32LE(0) !== format)
    throw new EntryUnreadable(`An entry has format ${bytes.readUInt32LE(0)}: another version of Peyk wrote it`);
  const [pageBytes, pageCount, count] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const contentAt = headBytes + 4 * count;
  const pages = new Map<number, Uint8Array>();
  for (let index = 0; index < count; index += 1) {
    const at = contentAt + index * pageBytes;
    pages.set(bytes.readUInt32LE(headBytes + 4 * index), bytes.subarray(at, at + pageBytes));
  }
  return { pageBytes, pageCount, pages, sums: unpackSums(bytes.subarray(contentAt + count * pageBytes)) };
}

function sealPiece(name: EntryName, index: number, packed: Uint8Array, { key, log }: EpochKey): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(name, index)).setAAD(contextOf(name, index, log));
  return Buffer.concat([cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

function openPiece(name: EntryName, index: number, sealed: Uint8Array, { key, log }: EpochKey): Uint8Array {
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(name, index), { authTagLength: tagBytes });
  decipher.setAAD(contextOf(name, index, log)).setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagBytes)), decipher.final()]);
  } catch (reason) {
    throw new EntryUnreadable(`Entry ${name.sequence} cannot be opened: it was changed, or sealed under another key`, {
      cause: reason,
    });
  }
}

function nonceOf({ sequence }: EntryName, piece: number): Uint8Array {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeBigUInt64BE(BigInt(sequence), 0);
  nonce.writeUInt32BE(piece, 8);
  return nonce;
}

const contextOf = ({ epoch, sequence }: EntryName, piece: number, log: string) =>
  Buffer.from(JSON.stringify([format, log, epoch, sequence, piece]));
