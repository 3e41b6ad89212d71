/** Runs recurring jobs: retention, the fraud guard, the backups. */

import { followerCopies, laterOf } from "../conditions/follower-copies.ts";
import type { Inbound } from "../inbound/inbound.ts";
import { AccountRetention } from "../messaging/messages/account-retention.ts";
import { forgetOld } from "../messaging/messages/retention.ts";
import { BackupCopies, requestedKeep } from "../platform/backup-copies.ts";
import { frequentBackup } from "../platform/frequent-backup.ts";
import { forgetKeptDatabases } from "../platform/kept-databases.ts";
import { type RotatingBackupDeps, rotatingBackup } from "../platform/rotating-backup.ts";
import { createSchedule, type Schedule } from "../platform/schedule.ts";
import { readShipping, type Shipping } from "../platform/shipping.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { recentCopies } from "./recent-copies.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";
import { TargetUploads } from "./target-uploads.ts";

const minuteMs = 60_000;

export type Jobs = ReturnType<typeof startJobs>;

export function startJobs(
  storage: ServerStorage,
  webhooks: Webhooks,
  inbound: Inbound,
  { otp, audit, sessions, userTokens, rerouter, deliveryWatch, live, balanceWatcher, inboundRules }: Services,
) {
  const { store, clock, log, settings, metrics, wallClock, damage } = storage;
  const schedule = createSchedule({ clock, log });
  const retention = {
    messageDays: settings.messages.retentionDays,
    idempotencyDays: settings.idempotency.days,
    rollupDays: settings.reports.retentionDays,
  };
  const { dataDir } = settings;
  const copy = (file: string) => storage.runCommand(["backup", "create", file, "--data-dir", dataDir, "--json"]);
  const backups = { dataDir, now: clock.now, log, copy, ended: metrics.backup };
  const accountRetention = new AccountRetention({ ...storage, ...retention });
  const forget = [
    () => forgetOld(store, clock.now(), retention),
    () => accountRetention.forget(),
    inbound.forgetOld,
    webhooks.forgetOld,
    () => otp.service.forget(settings.idempotency.days),
    () => audit.forgetOld(settings.audit.retentionDays),
    () => sessions.forgetOld(),
    () => userTokens.forgetOld(),
    async () => forgetKeptDatabases({ ...backups, days: settings.backup.beforeDays }),
  ];
  schedule.add("retention", "17 */10 * * * *", () => forgetWhileBelieved(forget, wallClock.doubt));
  schedule.add("wall clock", "29 * * * * *", wallClock.save);
  schedule.add("minutes of outcomes", "0 * * * * *", () => live.save());
  schedule.add("routes of waiting messages", "53 * * * * *", async () => rerouter.run());
  schedule.add("delivery rates", "11,41 * * * * *", () => deliveryWatch.look());
  schedule.add("balances below an amount", "23 * * * * *", () => balanceWatcher.look());
  schedule.add("texts to mail", "35 * * * * *", async () => inboundRules.mails.wake());
  schedule.add("fraud guard", "41 * * * * *", otp.guard.watch);
  schedule.add("end users' addresses", "43 * * * * *", otp.service.forgetEndUsers);
  const copies = startCopies(storage, schedule, backups);
  schedule.add("memory at rest", "7,27,47 * * * * *", async () => void store.freeCachedPages());
  schedule.add("database check", "0 47 2 * * *", damage.check);

  return {
    ...copies,
    async stop(): Promise<void> {
      schedule.stop();
      await copies.stop();
      await damage.stop();
    },
  };
}

/** The copies of the database, and where they are brought. */
function startCopies(
  storage: ServerStorage,
  schedule: Schedule,
  backups: Omit<RotatingBackupDeps, "prefix" | "title" | "keep">,
) {
  const { settings, clock } = storage;
  const { dataDir } = settings;
  const { nightlyKeep, everyMinutes } = settings.backup;
  const nightly = rotatingBackup({ ...backups, prefix: "peyk", title: "nightly backup", keep: nightlyKeep });
  const uploads = settings.backupTarget.endpoint === null ? null : new TargetUploads(storage);
  schedule.add("nightly backup", "0 17 3 * * *", async () => {
    await nightly.run();
    uploads?.run();
  });
  const recent = rotatingBackup({ ...backups, ...recentCopies });
  const elsewhere = () => followerCopies(storage.cluster(), clock.now());
  const everyMs = everyMinutes * minuteMs;
  // A node that follows spares this one, as long as it does; but only this one uploads.
  const isSpared = () =>
    uploads === null && (elsewhere().copiedAt ?? Number.NEGATIVE_INFINITY) > clock.now() - 2 * everyMs;
  const backup = {
    ...recent,
    async run() {
      if (isSpared()) return;
      await recent.run();
      uploads?.run();
    },
  };
  const frequent = everyMs === 0 ? null : frequentBackup({ backup, everyMs, clock });

  const ended: RotatingBackupDeps["ended"] = (outcome) => {
    backups.ended(outcome);
    uploads?.run();
  };
  const onRequest = { prefix: "requested", title: "requested backup", keep: requestedKeep, ended } as const;
  const requested = rotatingBackup({ ...backups, ...onRequest });
  const copies = new BackupCopies({ ...backups, requested, run: storage.runCommand });

  return {
    frequentBackupIntervalMs: () => frequent?.intervalMs() ?? null,
    lastNightlyBackupAt: nightlyKeep === 0 ? () => null : nightly.newestAt,
    lastFrequentBackupAt: () => laterOf(recent.newestAt(), elsewhere().copiedAt),
    shipping(): Shipping {
      const own = readShipping(dataDir);
      return { ...own, madeAt: laterOf(own.madeAt, elsewhere().shippedAt) };
    },
    copies,
    target: () => uploads?.state() ?? null,
    async stop(): Promise<void> {
      await uploads?.stop();
      await frequent?.stop();
      await nightly.stop();
      await copies.stop();
    },
  };
}

/**
 * Deletes nothing while the time may be wrong; checked before each step, because the clock may jump between two of
 * them.
 */
export async function forgetWhileBelieved(
  steps: readonly (() => Promise<unknown>)[],
  doubt: () => object | null,
): Promise<void> {
  for (const step of steps) if (doubt() === null) await step();
}
