/** Copies the database while it is in use. */
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
import { sentenceOf } from "../domain/coded.ts";
import { type CodedCopyProblem, englishCopyProblems } from "../platform/copy-problem.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { copyContent, createPrivateFile, openRegularFile, syncPath } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { tryLock } from "../platform/file-lock.ts";
import { asOwnerOf, closedToOwner, isStrangersFolder, leadsThrough } from "../platform/folder-owner.ts";
import { openPorted, takePorted } from "../platform/ported-files.ts";
import { appendSum, databaseMagic } from "./copy-sum.ts";
import { databaseFileName, followsSentence, isFollowed } from "./database.ts";
import { markPathOf, removeMark } from "./log-mark.ts";

/** A copy cannot be made or restored. The message says why; nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  /** Null if the message alone explains it. */
  readonly problem: CodedCopyProblem | null;

  constructor(why: string | CodedCopyProblem, options?: ErrorOptions) {
    super(typeof why === "string" ? why : sentenceOf(why, englishCopyProblems), options);
    this.problem = typeof why === "string" ? null : why;
  }
}

/** The file cannot be restored; the message says why. */
export class BackupUnusable extends Error {
  override readonly name = "BackupUnusable";
  readonly problem: CodedCopyProblem;

  constructor(problem: CodedCopyProblem, options?: ErrorOptions) {
    super(sentenceOf(problem, englishCopyProblems), options);
    this.problem = problem;
  }
}

/** Space left free beside a copy: a backup must not fill the service's disk. */
const spareBytes = 64 * 1024 * 1024;

export interface MadeCopy {
  bytes: number;
  durationMs: number;
}

/**
 * Copies the database of `folder` to `file` as of one moment. It only reads, so another process may be serving the
 * folder. Blocks its thread throughout, so never call it on the thread that serves. Throws BackupRefused.
 */
export function copyDatabase(folder: string, file: string): MadeCopy {
  const startedAt = performance.now();
  const isOutside = isStrangersFolder(folder) && !leadsThrough(folder, file);
  const bytes = tellingClosed(folder, [join(folder, databaseFileName), file], () =>
    isOutside ? copyOut(folder, file) : asOwnerOf(folder, () => copyWithin(folder, file)),
  );
  copyPorted(folder, file, isOutside);
  return { bytes, durationMs: performance.now() - startedAt };
}

/** The table of ported numbers is a file of its own, beside the copy as beside the database. */
function copyPorted(folder: string, file: string, isOutside: boolean): void {
  const take = () => takePorted(openPorted(folder), dirname(file));
  refusing(
    (reason) => notMade(file, reason),
    () =>
      isOutside
        ? takePorted(
            asOwnerOf(folder, () => openPorted(folder)),
            dirname(file),
          )
        : asOwnerOf(folder, take),
  );
}

/**
 * Runs `work`, which uses `paths`. If it fails because the owner of `folder` may not enter a parent folder, the error
 * names that folder.
 */
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
 * SQLite follows links, so root must not run it in another user's folder, and that user cannot write where root can. So
 * the owner makes the copy inside the folder, and it is read from there through a descriptor.
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

/** A descriptor of an unlinked copy: the copy disappears when it is closed. */
function copyUnnamed(folder: string): number {
  const inside = join(folder, `${databaseFileName}.copying`);
  rmSync(inside, { force: true });
  copyWithin(folder, inside);
  const descriptor = openRegularFile(inside);
  rmSync(inside);
  return descriptor;
}

/** Size in bytes of the database to copy. */
function sourceIn(folder: string): number {
  const source = join(folder, databaseFileName);
  const found = refusing(
    (reason) => ({ code: "source_unreadable", values: { folder, reason } }),
    () => statSync(source, { throwIfNoEntry: false }),
  );
  if (found === undefined) throw new BackupRefused(`There is no database in ${folder}.`);
  if (isFollowed(folder)) throw new BackupRefused(followsSentence(folder));
  return found.size;
}

/** Writes to a temporary name and renames it to `file` once it is on disk. Returns its size in bytes. */
function make(file: string, bytes: number, write: (partial: string, descriptor: number) => void): number {
  if (existsSync(file)) throw new BackupRefused(`${file} exists already. Choose another name, or move it away.`);
  const partial = `${file}.partial`;
  refuseWithoutSpace(bytes, dirname(file));
  const descriptor = reserve(partial, file);
  try {
    write(partial, descriptor);
    fsyncSync(descriptor);
    // A mark left by another database that once had this name.
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

/**
 * The copy holds everything the database holds, so no other user may ever read it, not even while it is being written.
 */
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

/** Reuses the name of a copy whose process was killed: its lock ended with the process. */
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

/** SQLite writes the first page last, so it may still be a hole. */
function isBegunCopy(descriptor: number): boolean {
  const found = Buffer.alloc(databaseMagic.length);
  readSync(descriptor, found, 0, found.length, 0);
  return found.every((byte) => byte === 0) || found.toString("latin1") === databaseMagic;
}

/** Throws BackupRefused if `folder` cannot take that many bytes and still leave the service some room. */
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

/** Runs `work`. Whatever it throws becomes a BackupRefused built by `told` from the system's message. */
export function refusing<T>(told: (reason: string) => string | CodedCopyProblem, work: () => T): T {
  try {
    return work();
  } catch (reason) {
    throw new BackupRefused(told(fileFailure(reason)), { cause: reason });
  }
}
