/**
 * What the `peyk backup` commands print about a copy: its counts, its checksum, and whether the key opens its secrets.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { damagedCode } from "../platform/damage-watch.ts";
import { errorCode } from "../platform/error-code.ts";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { findPorted } from "../platform/ported-files.ts";
import { createSealer, keyFileName, opensAll, readKeys } from "../platform/seal.ts";
import type { CopyReport } from "../store/copy-report.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { type CommonOptions, dataDirOf } from "./verb.ts";

/** The key file of an installed service. */
export const installedKey = "/etc/peyk/secret.key";

/** Loaded late, so that no other command pays for it. */
export async function loadStore() {
  const [backup, report, restore] = await Promise.all([
    import("../store/backup.ts"),
    import("../store/copy-report.ts"),
    import("../store/restore.ts"),
  ]);
  return { ...backup, ...report, ...restore };
}

/** Turns errors of the store and the key file into CommandFailed, with their own messages. */
export async function withCommandErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    const code = reason instanceof Error ? codeByErrorName[reason.name] : undefined;
    if (code === undefined || !(reason instanceof Error)) throw reason;
    const { message } = reason;
    const { BackupRefused, BackupUnusable } = await loadStore();
    const isTold = reason instanceof BackupUnusable || reason instanceof BackupRefused;
    const problem = isTold ? reason.problem : null;
    throw new CommandFailed(code, message, problem === null ? [] : [{ key: "copy", message, ...problem }]);
  }
}

const codeByErrorName: Readonly<Record<string, string>> = {
  BackupRefused: "backup_refused",
  CertificateFileUnusable: "backup_target",
  SecretFileUnusable: "backup_target",
  TargetFailed: "backup_target",
  BackupUnusable: "backup_unusable",
  DatabaseDamaged: damagedCode,
  DataFolderInUse: "data_folder_in_use",
  DataFolderUnusable: "data_folder_unusable",
  KeyFileError: "key_file",
};

export type Verified = ReturnType<typeof described>;

export interface KeyOptions extends CommonOptions {
  key?: string | undefined;
}

export async function verified(io: CliIo, file: string, options: KeyOptions) {
  const { inspectCopy } = await loadStore();
  const folder = dataDirOf(io, options);
  return withCommandErrors(() =>
    described(file, inspectCopy(folder, file), { folder, portedIn: dirname(file), key: options.key }),
  );
}

/** `portedIn`: where its file of ported numbers should be. */
interface CopyFolders {
  folder: string;
  portedIn: string;
  key?: string | undefined;
}

/** `sealed` is not printed: only whether the key opens it. */
export function described(
  file: string,
  { sealed, newestMessageAt, ported, ...report }: CopyReport,
  { folder, portedIn, key }: CopyFolders,
) {
  return {
    file,
    ...report,
    newestMessageAt: isoOrNull(newestMessageAt),
    key: keyState(sealed, keyFiles(folder, key), folder),
    ported: ported === null ? null : { file: ported, isThere: findPorted(ported, [portedIn]) !== null },
  };
}

/** The key files that exist, the one in the data folder first; only the named one if one is named. */
export function keyFiles(folder: string, named: string | undefined): string[] {
  return named === undefined ? [join(folder, keyFileName), installedKey].filter((path) => existsSync(path)) : [named];
}

/**
 * A key in the data folder is read with the rights of the folder's owner: a link there may point to one of root's
 * files.
 */
export function keyFromFile<T>(folder: string, path: string, read: (path: string) => T): T {
  try {
    return leadsThrough(folder, path) ? asOwnerOf(folder, () => read(path)) : read(path);
  } catch (reason) {
    if (!["EACCES", "EIO", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"].includes(errorCode(reason)))
      throw reason;
    throw new CommandFailed("key_file", `The key file ${path} cannot be read (${errorCode(reason)}).`);
  }
}

/** Whether the first key file opens a copy's secrets. */
function keyState(
  sealed: readonly Uint8Array[],
  paths: readonly string[],
  folder: string,
): "fits" | "other" | "missing" | "nothing sealed" {
  if (sealed.length === 0) return "nothing sealed";
  const [path] = paths;
  if (path === undefined) return "missing";
  const keys = keyFromFile(folder, path, readKeys);
  return opensAll(createSealer(...keys), sealed) ? "fits" : "other";
}

export const keyWords: Readonly<Record<Verified["key"], string>> = {
  fits: "the key here opens its secrets",
  other: "ANOTHER KEY: put back the secret.key that belongs to this copy, else stored passwords cannot be read",
  missing: "no key here to try; name one by --key FILE",
  "nothing sealed": "it holds no stored passwords",
};

const sumWords: Readonly<Record<Verified["sum"], string>> = {
  right: "every byte is as it was written",
  none: "none; it was made by an older Peyk, or by other means, so single wrong bytes may go unseen",
};

/** `place`: such as `beside it`. */
export const portedText = ({ file, isThere }: NonNullable<Verified["ported"]>, place: string): string =>
  `Its table of ported numbers, ${file}, is ${isThere ? "" : "NOT "}${place}${isThere ? "." : ": without it number ranges decide. Bring that file there, or import the table again."}`;

export function reportLines({
  bytes,
  schema,
  sum,
  counts,
  newestMessageAt,
  key,
  ported,
}: Verified): [string, string][] {
  return [
    ["Size", size(bytes)],
    ["Sum", sumWords[sum]],
    ["Schema", String(schema)],
    ...Object.entries(counts).map(([name, count]): [string, string] => [capitalised(name), String(count)]),
    ["Newest message", newestMessageAt ?? "-"],
    ["Key", keyWords[key]],
    ...(ported === null ? [] : [["Ported numbers", portedText(ported, "there")] satisfies [string, string]]),
  ];
}

/** `newestMessage` → `Newest message`. */
const capitalised = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (first) => first.toUpperCase());
export const size = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString());
