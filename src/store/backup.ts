/** Makes copies of the database while it is served. */
import { Database } from "bun:sqlite";
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { BackupUnusable, type CodedCopyProblem, copyProblemText } from "../platform/copy-problem.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { copyContent, createPrivateFile, openRegularFile, syncPath } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { tryLock } from "../platform/file-lock.ts";
import { asOwnerOf, closedToOwner, isStrangersFolder, leadsThrough } from "../platform/folder-owner.ts";
import { appendSum, databaseMagic } from "./copy-sum.ts";
import { databaseFileName } from "./database.ts";
import { markPathOf, removeMark } from "./log-mark.ts";

/** A copy cannot be made, or be put in place; the words say why, and nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  /** Null for what words alone tell. */
  readonly problem: CodedCopyProblem | null;

  constructor(why: string | CodedCopyProblem, options?: ErrorOptions) {
    super(typeof why === "string" ? why : copyProblemText(why), options);
    this.problem = typeof why === "string" ? null : why;
  }
}

/** Left free beside a copy: a backup must not fill the disk of the service. */
const spareBytes = 64 * 1024 * 1024;

export interface MadeCopy {
  bytes: number;
  durationMs: number;
}

/**
 * Copies the database of `folder` to `file`, as it stood at one moment. It reads alone: another process may serve the folder
 * meanwhile. Blocks its thread for as long as it takes, so never on one that serves. Throws BackupRefused.
 */
export function copyDatabase(folder: string, file: string): MadeCopy {
  const startedAt = performance.now();
  const bytes = tellingClosed(folder, [join(folder, databaseFileName), file], () =>
    isStrangersFolder(folder) && !leadsThrough(folder, file)
      ? copyOut(folder, file)
      : asOwnerOf(folder, () => copyWithin(folder, file)),
  );
  return { bytes, durationMs: performance.now() - startedAt };
}

/** Runs `work`, which uses `paths`: what fails because the owner of `folder` may not enter a folder on the way names that folder. */
export function tellingClosed<T>(folder: string, paths: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (reason) {
    if (!(reason instanceof BackupRefused || reason instanceof BackupUnusable) || !isDenied(reason.cause)) throw reason;
    const closed = paths.map((path) => closedToOwner(folder, path)).find((one) => one !== null);
    if (closed == null) throw reason;
    const problem = { code: "closed_to_owner", values: { folder, closed } } as const;
    throw reason instanceof BackupUnusable
      ? new BackupUnusable(problem, { cause: reason })
      : new BackupRefused(problem, { cause: reason });
  }
}

const isDenied = (reason: unknown) => ["EACCES", "SQLITE_CANTOPEN"].includes(errorCode(reason));

function copyWithin(folder: string, file: string): number {
  return make(file, sourceIn(folder), (partial, descriptor) => vacuumInto(folder, partial, descriptor));
}

/**
 * SQLite follows links, so root must not run it in a folder of somebody else; and that user cannot write where root may. So
 * the copy is made inside, by the owner, and read from there through a descriptor.
 */
function copyOut(folder: string, file: string): number {
  const bytes = asOwnerOf(folder, () => sourceIn(folder));
  return make(file, bytes, (_, target) => {
    const made = asOwnerOf(folder, () => copyUnnamed(folder));
    try {
      copyContent(made, target, fstatSync(made).size);
    } finally {
      closeSync(made);
    }
  });
}

/** The descriptor of a copy that goes with it. */
function copyUnnamed(folder: string): number {
  const inside = join(folder, `${databaseFileName}.copying`);
  rmSync(inside, { force: true });
  copyWithin(folder, inside);
  const descriptor = openRegularFile(inside);
  rmSync(inside);
  return descriptor;
}

/** Bytes of the database that is to be copied. */
function sourceIn(folder: string): number {
  const source = join(folder, databaseFileName);
  const found = refusing(
    (reason) => ({ code: "source_unreadable", values: { folder, reason } }),
    () => statSync(source, { throwIfNoEntry: false }),
  );
  if (found === undefined) throw new BackupRefused(`There is no database in ${folder}.`);
  return found.size;
}

/** Writes `file` under another name, and gives it its own once the disk has it. Returns its size in bytes. */
function make(file: string, bytes: number, write: (partial: string, descriptor: number) => void): number {
  if (existsSync(file)) throw new BackupRefused(`${file} exists already. Choose another name, or move it away.`);
  const partial = `${file}.partial`;
  refuseWithoutSpace(bytes, dirname(file));
  const descriptor = reserve(partial, file);
  try {
    write(partial, descriptor);
    fsyncSync(descriptor);
    // Of another database that once had this name.
    removeMark(markPathOf(file));
    renameSync(partial, file);
    syncPath(dirname(file));
    return statSync(file).size;
  } catch (reason) {
    for (const rest of ["", "-journal"]) rmSync(partial + rest, { force: true });
    if (reason instanceof BackupRefused) throw reason;
    throw new BackupRefused(notMade(file, fileFailure(reason)), { cause: reason });
  } finally {
    closeSync(descriptor);
  }
}

function vacuumInto(folder: string, partial: string, descriptor: number): void {
  const database = new Database(join(folder, databaseFileName), { readonly: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("VACUUM INTO ?", [partial]);
  } finally {
    database.close();
  }
  appendSum(descriptor);
}

/** It holds what the database holds, so nobody else may ever read it, not even while it is being written. */
function reserve(partial: string, file: string): number {
  return refusing(
    (reason) => notMade(file, reason),
    () => {
      try {
        const descriptor = createPrivateFile(partial);
        tryLock(descriptor);
        return descriptor;
      } catch (reason) {
        if (errorCode(reason) !== "EEXIST") throw reason;
        return takeOver(partial);
      }
    },
  );
}

const notMade = (file: string, reason: string) => ({ code: "not_made", values: { file, reason } }) as const;

/** What a copy that was killed left, its name is free again: the lock went with the process. */
function takeOver(partial: string): number {
  const descriptor = openSync(partial, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size, ino } = fstatSync(descriptor);
  if (tryLock(descriptor) && lstatSync(partial).ino === ino && (size === 0 || isBegunCopy(descriptor))) {
    rmSync(`${partial}-journal`, { force: true });
    ftruncateSync(descriptor);
    fchmodSync(descriptor, 0o600);
    return descriptor;
  }
  closeSync(descriptor);
  throw new Error(`${partial} is in the way. Another copy is being made; if none is, the file is no copy: remove it`);
}

/** SQLite writes the first page last, so it may be a hole as yet. */
function isBegunCopy(descriptor: number): boolean {
  const found = Buffer.alloc(databaseMagic.length);
  readSync(descriptor, found, 0, found.length, 0);
  return found.every((byte) => byte === 0) || found.toString("latin1") === databaseMagic;
}

/** Throws BackupRefused where `folder` could not take so many bytes and leave the service some room. */
export function refuseWithoutSpace(bytes: number, folder: string): void {
  const wanted = bytes + spareBytes;
  const free = refusing(
    (reason) => ({ code: "folder_unusable", values: { folder, reason } }),
    () => freeBytes(folder),
  );
  if (free < wanted) {
    const inMib = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
    const values = { folder, freeMib: inMib(free), wantedMib: inMib(wanted) };
    throw new BackupRefused({ code: "no_room", values });
  }
}

/** Runs `work`; whatever it throws becomes a BackupRefused for `told`, which is given the system's words. */
export function refusing<T>(told: (reason: string) => string | CodedCopyProblem, work: () => T): T {
  try {
    return work();
  } catch (reason) {
    throw new BackupRefused(told(fileFailure(reason)), { cause: reason });
  }
}
