/** Makes copies of the database while it is served. */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { freeBytes } from "../platform/disk-space.ts";
import { copyContent, createPrivateFile, openPlainFile, syncPath } from "../platform/durable-file.ts";
import { errorCode } from "../platform/error-code.ts";
import { asOwnerOf, isStrangersFolder, leadsThrough } from "../platform/folder-owner.ts";
import { databaseFileName } from "./database.ts";

/** A copy cannot be made, or be put in place; the words say why, and nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
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
  const bytes =
    isStrangersFolder(folder) && !leadsThrough(folder, file)
      ? copyOut(folder, file)
      : asOwnerOf(folder, () => copyWithin(folder, file));
  return { bytes, durationMs: performance.now() - startedAt };
}

function copyWithin(folder: string, file: string): number {
  return make(file, sourceIn(folder), (partial) => vacuumInto(folder, partial));
}

/**
 * SQLite follows links, so root must not run it in a folder of somebody else; and that user cannot write where root may. So
 * the copy is made inside, by the owner, and read from there through a descriptor.
 */
function copyOut(folder: string, file: string): number {
  const inside = join(folder, `${databaseFileName}.copying`);
  const made = asOwnerOf(folder, () => {
    refusing(`No copy was made at ${file}`, () => rmSync(inside, { force: true }));
    make(inside, sourceIn(folder), (partial) => vacuumInto(folder, partial));
    const descriptor = openPlainFile(inside);
    rmSync(inside);
    return descriptor;
  });
  try {
    return make(file, statSync(`/proc/self/fd/${made}`).size, (_, target) => copyContent(made, target));
  } finally {
    closeSync(made);
  }
}

/** Bytes of the database that is to be copied. */
function sourceIn(folder: string): number {
  const source = join(folder, databaseFileName);
  const found = refusing(`The database in ${folder} cannot be copied`, () =>
    statSync(source, { throwIfNoEntry: false }),
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
    syncPath(partial);
    renameSync(partial, file);
    syncPath(dirname(file));
    return statSync(file).size;
  } catch (reason) {
    rmSync(partial, { force: true });
    throw new BackupRefused(`No copy was made at ${file}: ${reasonIn(reason)}.`, { cause: reason });
  } finally {
    closeSync(descriptor);
  }
}

function vacuumInto(folder: string, partial: string): void {
  const database = new Database(join(folder, databaseFileName), { readonly: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("VACUUM INTO ?", [partial]);
  } finally {
    database.close();
  }
}

/** It holds what the database holds, so nobody else may ever read it, not even while it is being written. */
function reserve(partial: string, file: string): number {
  try {
    return createPrivateFile(partial);
  } catch (reason) {
    const words =
      errorCode(reason) === "EEXIST"
        ? `${partial} is in the way. Another copy is being made; if none is, one was broken off: remove it`
        : reasonIn(reason);
    throw new BackupRefused(`No copy was made at ${file}: ${words}.`, { cause: reason });
  }
}

/** Throws BackupRefused where `folder` could not take so many bytes and leave the service some room. */
export function refuseWithoutSpace(bytes: number, folder: string): void {
  const wanted = bytes + spareBytes;
  const free = refusing(`The folder ${folder} cannot take a copy`, () => freeBytes(folder));
  if (free < wanted) {
    const inMib = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
    throw new BackupRefused(
      `${folder} has ${inMib(free)} left, and a copy may need ${inMib(wanted)}. Free some space first.`,
    );
  }
}

/** Runs `work`; whatever it throws becomes a BackupRefused that begins with `what`. */
export function refusing<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (reason) {
    throw new BackupRefused(`${what}: ${reasonIn(reason)}.`, { cause: reason });
  }
}

function reasonIn(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
