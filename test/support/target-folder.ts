/** A data folder with copies of a database, and the settings of a bucket for them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newTargetKey } from "../../src/backup-target/sealing.ts";
import { BackupTarget } from "../../src/backup-target/target.ts";
import { defaultSettings, type Settings } from "../../src/config/settings.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { temporaryFolder } from "./test-server.ts";

export const targetKeys = await newTargetKey();

const limitMsMin = 60_000;
/** Waits a thousandth between attempts, so that they follow each other at once; what limits an answer stays as it is. */
const hastyClock: Clock = {
  ...systemClock,
  after: (ms, task) => systemClock.after(ms < limitMsMin ? ms / 1_000 : ms, task),
};

export class TargetFolder implements Disposable {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder.path, "data");
  readonly settings: Settings["backupTarget"];
  /** The file of ported numbers of each copy. */
  portedOf: (file: string) => string | null = () => null;

  constructor(place: Partial<Settings["backupTarget"]>, accessKey: { id: string; secret: string }) {
    const keyFile = this.write("key", `${accessKey.id}:${accessKey.secret}\n`);
    const { backupTarget } = defaultSettings();
    this.settings = { ...backupTarget, bucket: "copies", publicKey: targetKeys.publicKey, keyFile, ...place };
    mkdirSync(join(this.dataDir, "backups"), { recursive: true });
  }

  write(name: string, text: string): string {
    const path = join(this.folder.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** `peyk-20261120T031700Z`, of this content. */
  copy(name: string, content: string | Uint8Array = name): void {
    writeFileSync(join(this.dataDir, "backups", `${name}.db`), content);
  }

  run(change: Partial<Settings["backupTarget"]> = {}, options: { keepAll?: boolean; clock?: Clock } = {}) {
    const { keepAll = false, clock = systemClock } = options;
    const { dataDir, portedOf } = this;
    return new BackupTarget({ ...this.settings, ...change }, clock).run({ dataDir, keepAll, portedOf });
  }

  /** With attempts that follow each other at once. */
  hastily(change: Partial<Settings["backupTarget"]> = {}) {
    return this.run(change, { clock: hastyClock });
  }

  /** Why a run fails. */
  async refusal(change: Partial<Settings["backupTarget"]> = {}): Promise<string> {
    const reason: unknown = await this.hastily(change).then(
      () => null,
      (error: unknown) => error,
    );
    return reason instanceof Error ? reason.message : "none";
  }

  /** The flags of a command that uses this bucket. */
  environment(): Record<string, string> {
    const { endpoint, bucket, keyFile, publicKey } = this.settings;
    return {
      PEYK_DATA_DIR: this.dataDir,
      PEYK_BACKUP_TARGET_ENDPOINT: endpoint ?? "",
      PEYK_BACKUP_TARGET_BUCKET: bucket,
      PEYK_BACKUP_TARGET_KEY_FILE: keyFile ?? "",
      PEYK_BACKUP_TARGET_PUBLIC_KEY: publicKey,
    };
  }

  [Symbol.dispose](): void {
    this.folder.remove();
  }
}
