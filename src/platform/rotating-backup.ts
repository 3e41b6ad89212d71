/** Copies the database to a file named after the time, and deletes the oldest such copies. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CopyFailure, copyFailureOf } from "./copy-failure.ts";
import { errorCode, errorMessage } from "./error-code.ts";
import type { Logger } from "./log.ts";
import type { PeykProcess } from "./peyk-process.ts";
import { dropPorted } from "./ported-files.ts";

/** By the prefix of a copy's name. */
const kinds = { peyk: "nightly", recent: "frequent", requested: "requested" } as const;
type BackupPrefix = keyof typeof kinds;

/** `requested`: made on request. */
export type BackupKind = (typeof kinds)[BackupPrefix];

export interface RotatingBackupDeps {
  /** The copies go into its `backups` folder. */
  dataDir: string;
  prefix: BackupPrefix;
  /** Names the backups in the log. */
  title: string;
  keep: number;
  now(): number;
  log: Logger;
  /** Starts a copy to `file` in a separate process: copying ten gigabytes would block the event loop. */
  copy(file: string): PeykProcess;
  ended(outcome: "done" | "failed"): void;
}

const nameParts = /^(peyk|recent|requested)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db(\.partial(?:-journal)?)?$/;

/** Null if the name is not that of a backup. */
export function backupKindOf(name: string): BackupKind | null {
  const prefix = nameParts.exec(name)?.[1];
  return Object.entries(kinds).find(([one]) => one === prefix)?.[1] ?? null;
}

/** Null if the name is not that of a complete backup. */
export function timedBackup(name: string): { name: string; kind: BackupKind; madeAt: number } | null {
  const kind = name.endsWith(".db") ? backupKindOf(name) : null;
  const madeAt = timeIn(name);
  return kind === null || madeAt === null ? null : { name, kind, madeAt };
}

/** The newest copy of any kind in the data folder; null if there is none. */
export function newestBackup(dataDir: string): TimedBackup | null {
  return timedBackups(dataDir).at(-1) ?? null;
}

export const backupFolder = (dataDir: string): string => join(dataDir, "backups");

export function backupsNewestFirst(dataDir: string): string[] {
  return timedBackups(dataDir)
    .reverse()
    .map(({ file }) => file);
}

export interface TimedBackup {
  file: string;
  /** Epoch milliseconds. */
  madeAt: number;
}

/** Oldest first. */
export function timedBackups(dataDir: string): TimedBackup[] {
  const folder = backupFolder(dataDir);
  const times = filesIn(folder).flatMap((name) => {
    const madeAt = nameParts.exec(name)?.[8] === undefined ? timeIn(name) : null;
    return madeAt === null ? [] : [{ file: join(folder, name), madeAt }];
  });
  return times.sort((a, b) => a.madeAt - b.madeAt);
}

/** Epoch milliseconds; null if the name is not that of a backup. */
function timeIn(name: string): number | null {
  const [, , ...parts] = nameParts.exec(name) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  return parts.length === 0 ? null : Date.UTC(year, month - 1, day, hour, minute, second);
}

export type RotatingBackup = ReturnType<typeof rotatingBackup>;

export function rotatingBackup({ dataDir, prefix, title, keep, now, log, copy, ended }: RotatingBackupDeps) {
  const nameOf = (at: number) => `${prefix}-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "")}.db`;
  const isOurs = (name: string) => nameParts.exec(name)?.[1] === prefix;
  const folder = backupFolder(dataDir);
  let going: PeykProcess | null = null;

  /** Oldest first. Other files in the folder are never deleted. */
  function copies(): string[] {
    return filesIn(folder).filter((name) => isOurs(name) && name.endsWith(".db"));
  }

  function forgetOldest(): void {
    const leftovers = filesIn(folder).filter((name) => isOurs(name) && !name.endsWith(".db"));
    // A later one was made while the clock was wrong: it must not take the place of those that follow.
    const { later = [], past = [] } = Object.groupBy(copies(), (name) =>
      (timeIn(name) ?? 0) > now() ? "later" : "past",
    );
    for (const name of [...[...later, ...past].slice(0, -keep), ...leftovers])
      rmSync(join(folder, name), { force: true });
    // A copy that refers to one has renewed its time.
    const oldestAt = timedBackups(dataDir)[0]?.madeAt ?? now();
    dropPorted(folder, (name) => statSync(join(folder, name)).mtimeMs >= oldestAt);
  }

  return {
    /** Never rejects: a failure is logged, counted and returned. The old copies stay until there is a new one. */
    async run(): Promise<CopyFailure | null> {
      if (keep === 0) return null;
      const file = join(folder, nameOf(now()));
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        going = copy(file);
        await going.done;
        forgetOldest();
        log.info({ file }, `the ${title} is made`);
        ended("done");
        return null;
      } catch (reason) {
        const why = copyFailureOf(errorMessage(reason));
        log.error({ why: why.words, file }, `the ${title} failed`);
        ended("failed");
        return why;
      } finally {
        going = null;
      }
    },

    /** When the newest copy was made, epoch milliseconds; null if there is none. */
    newestAt(): number | null {
      return timeIn(copies().at(-1) ?? "");
    },

    /** Ends a copy in progress; the next one removes its remains. */
    async stop(): Promise<void> {
      const last = going;
      last?.end();
      await last?.done.catch(() => {});
    },
  };
}

/** Sorted; none if there is no such folder. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (reason) {
    if (errorCode(reason) === "ENOENT") return [];
    throw reason;
  }
}
