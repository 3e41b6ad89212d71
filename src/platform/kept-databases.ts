/**
 * Removes old databases kept by a migration, a restore or an upgrade as a way back: they contain data that has been
 * erased since.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";
import type { Logger } from "./log.ts";

export interface KeptDatabasesDeps {
  dataDir: string;
  now(): number;
  log: Logger;
  /** How long they are kept. */
  days: number;
}

const dayMs = 24 * 3_600_000;
const restorePattern = /^peyk\.db\.before-restore-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/;
/** Includes what a killed copy left. */
const keptPattern = /^(before-migration-\d+\.db(\.new(-journal)?)?|before-upgrade(\..*)?)$/;

/** Removes those that are older; files that only root may remove are logged. */
export function forgetKeptDatabases({ dataDir, now, log, days }: KeptDatabasesDeps): void {
  for (const name of readdirSync(dataDir)) {
    const keptAt = keptSince(dataDir, name);
    if (keptAt === null || keptAt > now() - days * dayMs) continue;
    try {
      rmSync(join(dataDir, name), { recursive: true });
      log.info({ name }, "a database of before was kept long enough and is removed");
    } catch (reason) {
      log.warn({ name, err: errorCode(reason) }, "a database of before was kept long enough and cannot be removed");
    }
  }
}

/** A restore keeps the file unchanged, so its name gives the time; the others are written at that time. */
function keptSince(dataDir: string, name: string): number | null {
  const [, year, month, day, hour, minute, second] = restorePattern.exec(name) ?? [];
  if (year !== undefined) return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return keptPattern.test(name) ? statSync(join(dataDir, name)).mtimeMs : null;
}
