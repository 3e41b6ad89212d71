/** Runs what recurs: retention, the fraud guard, the nightly backup. */
import type { Inbound } from "../inbound/inbound.ts";
import { forgetOld } from "../messaging/messages/retention.ts";
import { nightlyBackup } from "../platform/nightly-backup.ts";
import { createSchedule } from "../platform/schedule.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

export type Jobs = ReturnType<typeof startJobs>;

export function startJobs(storage: ServerStorage, webhooks: Webhooks, inbound: Inbound, { otp }: Services) {
  const { store, clock, log, settings, metrics } = storage;
  const schedule = createSchedule(log);
  const retention = {
    messageDays: settings.messages.retentionDays,
    idempotencyDays: settings.idempotency.days,
    rollupDays: settings.reports.retentionDays,
  };
  schedule.add("retention", "17 */10 * * * *", async () => {
    await forgetOld(store, clock.now(), retention);
    await inbound.forgetOld();
    await webhooks.forgetOld();
    await otp.service.forget(settings.idempotency.days);
  });
  schedule.add("fraud guard", "41 * * * * *", otp.guard.watch);
  const keep = settings.backup.nightlyKeep;
  const nightly = nightlyBackup({ dataDir: settings.dataDir, keep, now: clock.now, log, ended: metrics.backup });
  schedule.add("nightly backup", "0 17 3 * * *", nightly.run);

  return {
    lastBackupAt: nightly.newestAt,
    async stop(): Promise<void> {
      schedule.stop();
      await nightly.stop();
    },
  };
}
