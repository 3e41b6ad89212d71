/** `peyk backup …`: copies the database while the service runs, verifies a copy, and restores it while the service is stopped. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { createSealer, keyFileName, opensAll, readKeys } from "../platform/seal.ts";
import type { CopyReport } from "../store/copy-report.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { counted, formatFields } from "./text.ts";
import { type CommonOptions, dataDirOf, noun, print, verb } from "./verb.ts";

/** The key file of an installed service. */
export const installedKey = "/etc/peyk/secret.key";

export function backupCommand(io: CliIo) {
  return noun("backup", "copies of the database: make, verify, restore")
    .addCommand(create(io))
    .addCommand(verify(io))
    .addCommand(restore(io));
}

/** Loaded late, so that the other commands do not pay for it at every call. */
async function loadStore() {
  const [backup, report, restore] = await Promise.all([
    import("../store/backup.ts"),
    import("../store/copy-report.ts"),
    import("../store/restore.ts"),
  ]);
  return { ...backup, ...report, ...restore };
}

/** Turns the refusals of store and key file into CommandFailed, with their own messages. */
export async function withCommandErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    const code = reason instanceof Error ? codeByErrorName[reason.name] : undefined;
    if (code === undefined || !(reason instanceof Error)) throw reason;
    throw new CommandFailed(code, reason.message);
  }
}

const codeByErrorName: Readonly<Record<string, string>> = {
  BackupRefused: "backup_refused",
  BackupUnusable: "backup_unusable",
  DataFolderInUse: "data_folder_in_use",
  KeyFileError: "key_file",
};

function create(io: CliIo) {
  return verb("create", {
    does: "copy the database to a file while the service runs",
    examples: ["peyk backup create /srv/backup/peyk-monday.db"],
  })
    .argument("<file>", "the file to write")
    .action(async (file, options) => {
      const { copyDatabase } = await loadStore();
      const target = resolve(file);
      const made = await withCommandErrors(() => copyDatabase(dataDirOf(io, options), target));
      const answer = { file: target, bytes: made.bytes, durationMs: Math.round(made.durationMs) };
      print(
        io,
        options,
        answer,
        () =>
          `${target}: ${size(made.bytes)}, copied in ${seconds(made.durationMs)}.\n` +
          `The key file is not in it. Keep a copy of ${keyFileName} elsewhere: without it no stored password can be read.\n` +
          `Check the copy:  peyk backup verify ${target}\n`,
      );
    });
}

function verify(io: CliIo) {
  return verb("verify", {
    does: "open a copy, check its pages and references, and count its rows",
    examples: ["peyk backup verify /srv/backup/peyk-monday.db"],
  })
    .argument("<file>", "the copy")
    .option("--key <file>", "key file to try (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .action(async (file, options) => {
      const answer = await verified(io, resolve(file), options);
      print(io, options, answer, (report) => `${file} is whole.\n${formatFields(reportLines(report))}`);
    });
}

type Verified = ReturnType<typeof described>;

interface KeyOptions extends CommonOptions {
  key?: string | undefined;
}

async function verified(io: CliIo, file: string, options: KeyOptions) {
  const { inspectCopy } = await loadStore();
  const folder = dataDirOf(io, options);
  return withCommandErrors(() => described(file, inspectCopy(folder, file), folder, options.key));
}

/** `sealed` stays inside: only whether the key opens it is told. */
function described(file: string, { sealed, newestMessageAt, ...report }: CopyReport, folder: string, key?: string) {
  return {
    file,
    ...report,
    newestMessageAt: isoOrNull(newestMessageAt),
    key: keyState(sealed, keyFiles(folder, key), folder),
  };
}

/** Those that there are, the one of the data folder first; the named one alone if one is named. */
export function keyFiles(folder: string, named: string | undefined): string[] {
  return named === undefined ? [join(folder, keyFileName), installedKey].filter((path) => existsSync(path)) : [named];
}

/** Whether the first key file opens the secrets of a copy. */
function keyState(
  sealed: readonly Uint8Array[],
  paths: readonly string[],
  folder: string,
): "fits" | "other" | "missing" | "nothing sealed" {
  if (sealed.length === 0) return "nothing sealed";
  const [path] = paths;
  if (path === undefined) return "missing";
  const read = () => readKeys(path);
  const keys = leadsThrough(folder, path) ? asOwnerOf(folder, read) : read();
  return opensAll(createSealer(...keys), sealed) ? "fits" : "other";
}

const keyWords: Readonly<Record<Verified["key"], string>> = {
  fits: "the key here opens its secrets",
  other: "ANOTHER KEY: put back the secret.key that belongs to this copy, else stored passwords cannot be read",
  missing: "no key here to try; name one by --key FILE",
  "nothing sealed": "it holds no stored passwords",
};

const sumWords: Readonly<Record<Verified["sum"], string>> = {
  right: "every byte is as it was written",
  none: "none; it was made by an older Peyk, or by other means, so single wrong bytes may go unseen",
};

function reportLines({ bytes, schema, sum, counts, newestMessageAt, key }: Verified): [string, string][] {
  return [
    ["Size", size(bytes)],
    ["Sum", sumWords[sum]],
    ["Schema", String(schema)],
    ...Object.entries(counts).map(([name, count]): [string, string] => [capitalised(name), String(count)]),
    ["Newest message", newestMessageAt ?? "-"],
    ["Key", keyWords[key]],
  ];
}

function restore(io: CliIo) {
  return verb("restore", {
    does: "replace the database of a stopped service by a copy; the old database is kept",
    examples: ["peyk backup restore /srv/backup/peyk-monday.db"],
  })
    .argument("<file>", "the copy")
    .option("--key <file>", "key file to try (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .option("--release", "send what waits in the copy at the next start, also what was sent since")
    .action(async (file, options) => {
      const { restoreCopy } = await loadStore();
      const folder = dataDirOf(io, options);
      const { report, kept, replaced } = await withCommandErrors(() =>
        restoreCopy(folder, resolve(file), { now: Date.now(), release: options.release === true }),
      );
      const copy = await withCommandErrors(() => described(resolve(file), report, folder, options.key));
      print(io, options, { ...copy, kept, replaced, held: options.release !== true }, () =>
        restoredText(copy, kept, replaced, options.release === true),
      );
    });
}

function restoredText(
  copy: Verified,
  kept: string | null,
  replaced: Readonly<Record<string, number>> | null,
  release: boolean,
): string {
  const old = replaced === null ? "which could not be read" : `with ${counted(replaced.messages ?? 0, "message")}`;
  return [
    kept === null ? "There was no database before." : `The database before it, ${old}, is kept as ${kept}.`,
    `${copy.file} is in its place: ${counted(copy.counts.messages ?? 0, "message")}, the newest of ${copy.newestMessageAt ?? "never"}.`,
    ...waitingLines(copy, release),
    ...(copy.key === "fits" || copy.key === "nothing sealed" ? [] : [`Key: ${keyWords[copy.key]}.`]),
    "Start the service: systemctl start peyk, or peyk serve",
    "",
  ].join("\n");
}

function waitingLines({ counts: { waiting = 0, callbacksWaiting = 0 } }: Verified, release: boolean): string[] {
  const when = release ? "" : ', once you have looked and say: "peyk queue release"';
  const again = `, also those that were sent since the copy was made${when}.`;
  return [
    ...(waiting === 0 ? [] : [`${waiting} of them still wait and will be sent${again}`]),
    ...(callbacksWaiting === 0 ? [] : [`${counted(callbacksWaiting, "callback")} still wait and will be sent${again}`]),
    ...(waiting + callbacksWaiting > 0 || release ? [] : ['Nothing is sent until you say: "peyk queue release".']),
  ];
}

/** `newestMessage` → `Newest message`. */
const capitalised = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (first) => first.toUpperCase());
const size = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString());
