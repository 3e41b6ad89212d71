/** Backups of the database: the age of the newest, here and elsewhere; list, make, check and download them. */
import { Type as t } from "@sinclair/typebox";
import { laterOf } from "../conditions/follower-copies.ts";
import { OperatorError } from "../domain/operator-error.ts";
import type { KeptCopy } from "../platform/backup-copies.ts";
import { isoTime } from "../platform/clock.ts";
import type { CopyFailure } from "../platform/copy-failure.ts";
import { targetCopiedAt } from "../platform/target-state.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes, reads, StreamedAnswer } from "./operation.ts";

type BackupDeps = Pick<OperatorDeps, "backups" | "clock">;

export function backupAnswer({ backups }: BackupDeps) {
  const { madeAt, failure } = backups.shipping();
  const target = backups.target();
  const elsewhereAt = laterOf(madeAt, target && targetCopiedAt(target));
  return { newestAt: timeOrNull(backups.newestAt()), shippedAt: timeOrNull(elsewhereAt), shipFailure: failure };
}

/** Why the last one failed, in addition to the age of the newest existing one. */
export function shippingWarning({ backups }: BackupDeps): string[] {
  const { failure } = backups.shipping();
  return failure === null ? [] : [`The newest backup was not brought elsewhere: ${failure}`];
}

export type BackupCopyAnswer = ReturnType<typeof copyAnswer>;

function copyAnswer({ name, kind, madeAt, bytes, check }: KeptCopy) {
  return {
    name,
    /** `nightly`, `frequent`, or `requested` by a user. */
    kind,
    madeAt: isoTime(madeAt),
    bytes,
    /** The last check since the service started; null if there was none. */
    check: check === null ? null : { ...check, at: isoTime(check.at) },
  };
}

/** The bucket; null if there is none. */
function targetAnswer({ backups }: BackupDeps) {
  const target = backups.target();
  if (target === null) return null;
  const { place, failure, lacks, upload, isRunning } = target;
  return {
    /** Endpoint, bucket and prefix. */
    place,
    newestAt: timeOrNull(targetCopiedAt(target)),
    failure,
    /** What the key may not do, although copies arrive: `delete`, `giveUp` unfinished uploads. */
    lacks,
    /** The upload under way; null if there is none. */
    upload:
      upload === null || !isRunning ? null : { name: upload.name, sentBytes: upload.sentBytes, bytes: upload.bytes },
  };
}

const codedOf = ({ words, ...coded }: CopyFailure) => coded;

function copiesAnswer(deps: BackupDeps) {
  const { copies } = deps.backups;
  const failure = copies.failure();
  return {
    makingSince: timeOrNull(copies.makingSince()),
    /** Why the last requested one failed; null if it succeeded. */
    failure: failure?.words ?? null,
    /** The same as a code with values; null if it has none. */
    failureProblem: failure?.code === undefined ? null : codedOf(failure),
    /** Newest first. */
    copies: copies.list().map(copyAnswer),
    target: targetAnswer(deps),
  };
}

const nameField = { name: t.String() };

/** Starts the work, which continues in a process of its own. */
export const backupAdmin = {
  "GET /backups": reads({ may: "system.read", run: copiesAnswer }),
  "POST /backups": changes({
    may: "system.run",
    run: (deps) => {
      if (!deps.backups.copies.make()) throw new OperatorError("backup_busy");
      return copiesAnswer(deps);
    },
    audit: { action: "backup.make", target: () => "backup" },
  }),
  "POST /backups/:name/check": reads({
    may: "system.run",
    input: nameField,
    run: (deps, { name }) => {
      const outcome = deps.backups.copies.check(name);
      if (outcome === "absent") throw new OperatorError("backup_not_found");
      if (outcome === "busy") throw new OperatorError("backup_busy");
      return copiesAnswer(deps);
    },
  }),
  /** It changes nothing, but reveals everything. */
  "POST /backups/:name/download": changes({
    may: "system.change",
    input: nameField,
    run: ({ backups: { copies } }, { name }) => {
      const path = copies.pathOf(name);
      if (path === null) throw new OperatorError("backup_not_found");
      return new StreamedAnswer("application/vnd.sqlite3", Bun.file(path).stream());
    },
    audit: { action: "backup.download", target: ({ name }) => name },
  }),
};
