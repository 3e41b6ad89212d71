/**
 * Files beside the database, as on a disk: the process may die at every change, and a power cut removes from a copy of
 * the folder the changes that no sync followed, starting with the last.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Files } from "../../src/platform/files.ts";

/** The disk's answer to a change. */
export interface DiskState {
  /** Counts it; false: the process dies at it. */
  mayChange(): boolean;
  readonly refusal: "nothing" | "full" | "broken" | "sync fails";
}

/** What is needed to undo a change. */
type Change = { path: string; isLost: boolean } & (
  | { kind: "write"; size: number; at: number; before: Uint8Array }
  | { kind: "create" }
  | { kind: "rename"; from: string; replaced: Uint8Array | null }
  | { kind: "remove"; content: Uint8Array }
);

/** Whatever this machine has: a disk that fills up is a fault of the plan. */
const freeBytes = 2 ** 40;

const failure = (code: string) => Object.assign(new Error(code), { code });

export class SimulatedFiles implements Files {
  readonly #disk: DiskState;
  readonly #paths = new Map<number, string>();
  #changes: Change[] = [];

  constructor(disk: DiskState) {
    this.#disk = disk;
  }

  open(path: string, flags: string | number, mode?: number): number {
    if (existsSync(path)) return this.#opened(path, openSync(path, flags, mode));
    // Nothing is created for a name that is only read.
    if (flags === "r") return openSync(path, flags);
    this.#count();
    const descriptor = openSync(path, flags, mode);
    this.#changes.push({ kind: "create", path, isLost: false });
    return this.#opened(path, descriptor);
  }

  freeBytes(): number {
    return freeBytes;
  }

  #opened(path: string, descriptor: number): number {
    this.#paths.set(descriptor, path);
    return descriptor;
  }

  write(descriptor: number, bytes: Uint8Array, position?: number): number {
    const path = this.#pathOf(descriptor);
    this.#count();
    if (this.#disk.refusal === "full") throw failure("ENOSPC");
    if (this.#disk.refusal === "broken") throw failure("EIO");
    const { size } = fstatSync(descriptor);
    const at = position ?? size;
    const before = contentAt(path, at, Math.min(bytes.length, Math.max(0, size - at)));
    this.#changes.push({ kind: "write", path, isLost: false, size, at, before });
    return writeSync(descriptor, bytes, 0, bytes.length, at);
  }

  sync(descriptor: number): void {
    const path = this.#pathOf(descriptor);
    this.#count();
    const isFolder = fstatSync(descriptor).isDirectory();
    const isOf = (one: Change) => (isFolder ? one.kind !== "write" && dirname(one.path) === path : one.path === path);
    if (this.#disk.refusal === "sync fails") {
      for (const change of this.#changes) if (isOf(change)) change.isLost = true;
      throw failure("EIO");
    }
    this.#changes = this.#changes.filter((one) => one.isLost || !(isOf(one) && (isFolder || one.kind === "write")));
  }

  close(descriptor: number): void {
    // Another life may have this number by now.
    if (this.#paths.delete(descriptor)) closeSync(descriptor);
  }

  rename(from: string, to: string): void {
    this.#count();
    const replaced = existsSync(to) ? readFileSync(to) : null;
    renameSync(from, to);
    // Its content is under the new name from now on.
    for (const change of this.#changes) if (change.kind === "write" && change.path === from) change.path = to;
    this.#changes.push({ kind: "rename", path: to, from, replaced, isLost: false });
  }

  remove(path: string): void {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
    this.#count();
    this.#changes.push({ kind: "remove", path, content: readFileSync(path), isLost: false });
    rmSync(path);
  }

  /** The process is dead, or another run begins; of several processes that of this folder. */
  endLife(folder = ""): void {
    for (const [descriptor, path] of this.#paths) {
      if (!isIn(folder, path)) continue;
      closeSync(descriptor);
      this.#paths.delete(descriptor);
    }
    this.#changes = this.#changes.filter(({ path }) => !isIn(folder, path));
  }

  /**
   * Turns a copy of the folder into what a power cut leaves. `kept`: the share of unsynced changes that is on the disk
   * anyway, in the order in which they were made. Returns how many changes are lost.
   */
  cut(from: string, to: string, kept: number): number {
    const place = (path: string) => (path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path);
    const changes = this.#changes.filter(({ path }) => isIn(from, path)).map((change) => ({ ...change }));
    const undone = changes.splice(Math.round(changes.length * kept)).reverse();
    for (const [index, change] of undone.entries()) {
      const path = place(change.path);
      if (change.kind === "write") restore(path, change);
      else if (change.kind === "create") rmSync(path, { force: true });
      else if (change.kind === "remove") writeFileSync(path, change.content, { mode: 0o600 });
      else {
        if (existsSync(path)) renameSync(path, place(change.from));
        if (change.replaced !== null) writeFileSync(path, change.replaced, { mode: 0o600 });
        const earlier = undone.slice(index + 1);
        for (const one of earlier) if (one.kind === "write" && one.path === change.path) one.path = change.from;
      }
    }
    return undone.length;
  }

  #pathOf(descriptor: number): string {
    const path = this.#paths.get(descriptor);
    if (path === undefined) throw failure("EBADF");
    return path;
  }

  #count(): void {
    if (!this.#disk.mayChange()) throw failure("EIO");
  }
}

const isIn = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

function contentAt(path: string, at: number, length: number): Uint8Array {
  const content = new Uint8Array(length);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, content, 0, length, at);
  } finally {
    closeSync(descriptor);
  }
  return content;
}

function restore(path: string, { size, at, before }: Extract<Change, { kind: "write" }>): void {
  if (!existsSync(path)) return;
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, before, 0, before.length, at);
  ftruncateSync(descriptor, size);
  closeSync(descriptor);
}
