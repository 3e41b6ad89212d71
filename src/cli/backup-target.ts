/** What `peyk backup …` does with the bucket of `[backup_target]`; loaded by those commands alone. */
import { existsSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TargetFailed } from "../backup-target/refusal.ts";
import { opened } from "../backup-target/sealing.ts";
import { BackupTarget } from "../backup-target/target.ts";
import type { Clock } from "../platform/clock.ts";
import { createPrivateFile, syncPath, writeAll } from "../platform/durable-file.ts";
import { fileFailure, isSystemError } from "../platform/error-code.ts";
import { tryLockRange } from "../platform/file-lock.ts";
import { files } from "../platform/files.ts";
import { isWholePorted } from "../platform/ported-files.ts";
import { readSecretFile } from "../platform/secret-file.ts";
import { loadStore, withCommandErrors } from "./backup-report.ts";
import { settingsFrom } from "./config.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf } from "./owner.ts";
import { type CommonOptions, dataDirOf } from "./verb.ts";

export interface TargetOptions extends CommonOptions {
  config?: string | undefined;
  /** File with the secret key of `peyk backup target-key`. */
  targetKey?: string | undefined;
}

/** Its timers keep the command alive. */
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const timeout = setTimeout(task, delayMs);
    return { cancel: () => clearTimeout(timeout) };
  },
};

function targetOf(io: CliIo, options: TargetOptions) {
  const dataDir = dataDirOf(io, options);
  const { backupTarget } = settingsFrom(io, { config: options.config, dataDir }).settings;
  return { dataDir, target: () => new BackupTarget(backupTarget, clock) };
}

export const copiesThere = (io: CliIo, options: TargetOptions) =>
  withCommandErrors(async () => targetOf(io, options).target().list());

/** As the service's user, whose files it reads and writes. */
export function uploadNewest(io: CliIo, options: TargetOptions & { keepAll?: true | undefined }) {
  const { dataDir, target } = targetOf(io, options);
  if (!existsSync(dataDir)) throw new CommandFailed("no_copy", `There is no data folder ${dataDir}.`);
  becomeOwnerOf(realpathSync(dataDir));
  const lock = files.open(join(dataDir, "backup-target.lock"), "a+", 0o600);
  if (!tryLockRange(lock, "exclusive", { from: 0, length: 1 }))
    throw new CommandFailed("backup_busy", "Another upload is under way. Wait until it has ended.");
  return withCommandErrors(async () => {
    const { portedOfCopy: portedOf } = await loadStore();
    return target().run({ dataDir, keepAll: options.keepAll === true, portedOf });
  });
}

/** Writes a copy to `file` as it was before it was sealed: nothing has that name before all of it is there. */
export function fetchCopy(io: CliIo, name: string, file: string, options: TargetOptions) {
  const { targetKey } = options;
  if (targetKey === undefined)
    throw new CommandFailed("usage", "Name the file with the secret key of peyk backup target-key: --target-key FILE");
  return withCommandErrors(async () => {
    const [secretKey] = /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/.exec(readSecretFile(targetKey)) ?? [];
    if (secretKey === undefined)
      throw new TargetFailed(`${targetKey} holds no secret key of peyk backup target-key (AGE-SECRET-KEY-1…).`);
    const target = targetOf(io, options).target();
    const { copy, table } = await target.find(name);
    const { BackupRefused, refuseWithoutSpace } = await loadStore();
    const place = resolve(file);
    if (existsSync(place)) throw new BackupRefused(`${place} exists already. Choose another name, or move it away.`);
    refuseWithoutSpace(copy.bytes + (table?.bytes ?? 0), dirname(place));
    const fetched = async (key: string, to: string) => written(await opened(await target.read(key), secretKey), to);
    const { ported } = copy;
    const besides = ported === null ? place : join(dirname(place), ported);
    // First, so that a copy that is there has its table.
    if (ported !== null && table !== null && !existsSync(besides)) {
      await fetched(table.key, besides);
      if (!isWholePorted(besides, ported)) {
        rmSync(besides);
        throw new TargetFailed(`${table.key} in the bucket is not the table that its name tells.`);
      }
    }
    await fetched(copy.key, place);
    const told = ported === null ? null : { file: ported, isThere: existsSync(besides) };
    return { name: copy.name, file: place, bytes: Bun.file(place).size, ported: told };
  });
}

async function written(plain: ReadableStream<Uint8Array>, place: string): Promise<void> {
  const partial = `${place}.partial`;
  rmSync(partial, { force: true });
  const descriptor = createPrivateFile(partial);
  try {
    for await (const chunk of plain) writeAll(descriptor, chunk);
    files.sync(descriptor);
    renameSync(partial, place);
    syncPath(dirname(place));
  } catch (reason) {
    rmSync(partial, { force: true });
    if (reason instanceof TargetFailed) throw reason;
    if (isSystemError(reason)) throw new TargetFailed(`${place} cannot be written: ${fileFailure(reason)}.`);
    throw new TargetFailed("The copy was cut or changed on its way or in the bucket: nothing of it was kept.");
  } finally {
    files.close(descriptor);
  }
}
