/** How old the newest backup is, and the newest that was brought elsewhere. */
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";

type BackupDeps = Pick<OperatorDeps, "backups" | "clock">;

/** A backup may fail once and be late once before anybody is told. */
const intervalsMax = 3;

export function backupAnswer({ backups }: BackupDeps) {
  const { madeAt, failure } = backups.shipping();
  return { newestAt: timeOrNull(backups.newestAt()), shippedAt: timeOrNull(madeAt), shipFailure: failure };
}

export function backupWarnings({ backups, clock }: BackupDeps): string[] {
  const intervalMs = backups.intervalMs();
  const newestAt = backups.newestAt();
  const { failure } = backups.shipping();
  const ageMs = newestAt === null ? 0 : clock.now() - newestAt;
  const isOld = intervalMs !== null && ageMs > intervalMs * intervalsMax;
  const minutes = (ms: number) => Math.round(ms / 60_000);
  return [
    ...(isOld
      ? [
          `The newest backup is ${minutes(ageMs)} minutes old, and one is wanted every ${minutes(intervalMs)}. See: journalctl -u peyk | grep backup`,
        ]
      : []),
    ...(failure === null ? [] : [`The newest backup was not brought elsewhere: ${failure}`]),
  ];
}
