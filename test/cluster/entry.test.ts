/** Entries of the cluster's log: only what was sealed opens. */
import { expect, test } from "bun:test";
import { type Entry, EntryUnreadable, epochKey, openEntry, sealEntry } from "../../src/cluster/entry.ts";
import type { ChangedPages } from "../../src/store/log-frames.ts";

const secret = new Uint8Array(32).fill(7);
const key = epochKey(secret, new Uint8Array(16).fill(1), "log-1");
const before = new Uint8Array(32).fill(3);
const name = { epoch: 4, sequence: 9 };

function changed(count: number): ChangedPages {
  const pages = new Map<number, Uint8Array>();
  for (let page = 1; page <= count; page += 1) pages.set(page * 2, new Uint8Array(4_096).fill(page % 251));
  return { pageBytes: 4_096, pageCount: count * 2, pages };
}

function opened(entry: Entry, under = key, after = before): ChangedPages {
  const pages = new Map<number, Uint8Array>();
  let last = { pageBytes: 0, pageCount: 0 };
  for (const piece of openEntry(entry, under, after)) {
    for (const [page, bytes] of piece.pages) pages.set(page, bytes);
    last = piece;
  }
  return { pageBytes: last.pageBytes, pageCount: last.pageCount, pages };
}

const plain = ({ pages, ...sizes }: ChangedPages) => ({
  ...sizes,
  pages: [...pages].map(([page, bytes]) => [page, Bun.hash(bytes)]),
});

test.each([1, 1_024, 1_025, 2_100])("an entry of %d pages opens to the pages that were sealed", (count) => {
  const pages = changed(count);
  const entry = sealEntry(name, pages, key, before);
  expect(entry.pieces).toHaveLength(Math.ceil(count / 1_024));
  expect(plain(opened(entry))).toEqual(plain(pages));
});

test("an entry shows no page content, and the same pages are sealed differently in each epoch", () => {
  const text = "the text of a message".repeat(8);
  const pages = { pageBytes: 4_096, pageCount: 1, pages: new Map([[1, Buffer.alloc(4_096, text)]]) };
  const [piece = new Uint8Array()] = sealEntry(name, pages, key, before).pieces;
  expect(Buffer.from(piece).includes("message")).toBe(false);
  const other = epochKey(secret, new Uint8Array(16).fill(2), "log-1");
  expect(Buffer.compare(sealEntry(name, pages, other, before).pieces[0] ?? piece, piece)).not.toBe(0);
});

test("an entry with a flipped bit, or another sequence, epoch, log, key or predecessor, is refused", () => {
  const entry = sealEntry(name, changed(3), key, before);
  const [piece = new Uint8Array()] = entry.pieces;
  for (const at of [0, piece.length >> 1, piece.length - 1]) {
    const flipped = Buffer.from(piece);
    flipped.writeUInt8((flipped[at] ?? 0) ^ 1, at);
    expect(() => opened({ ...entry, pieces: [flipped] })).toThrow(EntryUnreadable);
  }
  expect(() => opened({ ...entry, sequence: 10 })).toThrow(EntryUnreadable);
  expect(() => opened({ ...entry, epoch: 5 })).toThrow(EntryUnreadable);
  expect(() => opened(entry, epochKey(secret, new Uint8Array(16).fill(1), "log-2"))).toThrow(EntryUnreadable);
  expect(() => opened(entry, epochKey(new Uint8Array(32), new Uint8Array(16).fill(1), "log-1"))).toThrow(
    EntryUnreadable,
  );
  expect(() => opened(entry, key, new Uint8Array(32))).toThrow(EntryUnreadable);
});

test("an entry with pieces in another order, or one too few, is refused", () => {
  const entry = sealEntry(name, changed(2_100), key, before);
  expect(() => opened({ ...entry, pieces: entry.pieces.toReversed() })).toThrow(EntryUnreadable);
  expect(() => opened({ ...entry, pieces: entry.pieces.slice(0, -1) })).toThrow(EntryUnreadable);
});
