/** Files of ported numbers beside a database, in a data folder or with its copies: named by their sums, never changed. */
import { constants, existsSync, fstatSync, futimesSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { copyContent, createPrivateFile, openRegularFile, readContent, syncPath } from "./durable-file.ts";
import { errorCode } from "./error-code.ts";
import { files } from "./files.ts";

const namePattern = /^ported-[0-9a-f]{16}\.numbers$/;

export const portedFileName = (sum: string): string => `ported-${sum.slice(0, 16)}.numbers`;
export const isPortedFile = (name: string): boolean => namePattern.test(name);

/** Whether the file has the sum that `name` tells. Reads all of it at once. */
export function isWholePorted(path: string, name: string): boolean {
  const hash = new Bun.CryptoHasher("sha256");
  const descriptor = openRegularFile(path);
  try {
    readContent(descriptor, fstatSync(descriptor).size, (chunk) => hash.update(chunk));
  } finally {
    files.close(descriptor);
  }
  return portedFileName(hash.digest("hex")) === name;
}

/** The path of the file in the first of the folders that has it; null where none does. */
export const findPorted = (name: string, folders: readonly string[]): string | null =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;

/** None where this process may not list the folder: a copy that root opened for another user lies in such a one. */
export function portedFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPortedFile);
  } catch (reason) {
    if (["EACCES", "ENOENT"].includes(errorCode(reason))) return [];
    throw reason;
  }
}

/** An opened file, so that it can be taken with the rights of another user. */
export interface PortedSource {
  name: string;
  descriptor: number;
}

/** Those that this process may read. */
export function openPorted(folder: string): PortedSource[] {
  return portedFilesIn(folder).flatMap((name) => {
    try {
      const descriptor = files.open(
        join(folder, name),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      );
      if (fstatSync(descriptor).isFile()) return [{ name, descriptor }];
      files.close(descriptor);
      return [];
    } catch (reason) {
      if (["EACCES", "ELOOP", "ENOENT"].includes(errorCode(reason))) return [];
      throw reason;
    }
  });
}

/** Puts them into `folder`, where one of the name is the same one; its time says when it was last needed. Closes them. */
export function takePorted(sources: readonly PortedSource[], folder: string): void {
  const present = new Set(portedFilesIn(folder));
  const now = new Date();
  try {
    for (const { name, descriptor } of sources) {
      const path = join(folder, name);
      if (present.has(name)) {
        utimesSync(path, now, now);
        continue;
      }
      const partial = `${path}.partial`;
      files.remove(partial);
      const target = createPrivateFile(partial);
      try {
        copyContent(descriptor, target, fstatSync(descriptor).size);
        futimesSync(target, now, now);
        files.rename(partial, path);
        syncPath(folder);
      } finally {
        files.close(target);
        files.remove(partial);
      }
    }
  } finally {
    for (const { descriptor } of sources) files.close(descriptor);
  }
}

/** Removes those that nothing refers to any more. */
export function dropPorted(folder: string, isUsed: (name: string) => boolean): void {
  for (const name of portedFilesIn(folder)) if (!isUsed(name)) files.remove(join(folder, name));
}
