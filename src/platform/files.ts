/**
 * Changes of files beside the database: keys, marks, copies and lists go through one interface, so that a test decides
 * what a power cut leaves of them.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, writeSync } from "node:fs";

/** Each throws the system's errors. */
export interface Files {
  open(path: string, flags: string | number, mode?: number): number;
  /** How many of the bytes were written; at the end of what was written before unless `position` is given. */
  write(descriptor: number, bytes: Uint8Array, position?: number): number;
  /** Waits until the disk has a file's content, or the names in a folder. */
  sync(descriptor: number): void;
  close(descriptor: number): void;
  rename(from: string, to: string): void;
  /** Nothing happens if there is no such file. */
  remove(path: string): void;
  /** Bytes that this process may still write to the folder's file system. */
  freeBytes(folder: string): number;
}

const systemFiles: Files = {
  open: (path, flags, mode) => openSync(path, flags, mode),
  write: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position ?? null),
  sync: fsyncSync,
  close: closeSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  freeBytes: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
};

let current = systemFiles;

/** For a simulation, before anything is opened. */
export function replaceFiles(files: Files): void {
  current = files;
}

export const files: Files = {
  open: (path, flags, mode) => current.open(path, flags, mode),
  write: (descriptor, bytes, position) => current.write(descriptor, bytes, position),
  sync: (descriptor) => current.sync(descriptor),
  close: (descriptor) => current.close(descriptor),
  rename: (from, to) => current.rename(from, to),
  remove: (path) => current.remove(path),
  freeBytes: (folder) => current.freeBytes(folder),
};
