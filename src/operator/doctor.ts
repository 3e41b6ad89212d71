/**
 * `/doctor`: what the running service can check about itself: certificate, disk, backups, and who is notified of what.
 */

import { statfsSync } from "node:fs";
import { basename, join } from "node:path";
import { fullDayMs } from "../conditions/condition.ts";
import { conditions } from "../conditions/conditions.ts";
import { type FollowerCopies, followerCopies, laterOf } from "../conditions/follower-copies.ts";
import { hostPortOf, isLoopback } from "../config/host-port.ts";
import type { Settings } from "../config/settings.ts";
import { CertificateUnusable, readCertificate } from "../platform/certificate.ts";
import { newestBackup, timedBackups } from "../platform/rotating-backup.ts";
import { readShipping } from "../platform/shipping.ts";
import type { OperatorDeps } from "./deps.ts";
import { reads } from "./operation.ts";
import { findingOf, type ServiceFinding } from "./service-finding.ts";
import { shippedAt, walBytes } from "./standing.ts";

const { DiskFull, WalGrows, CertificateEnds, BackupOld, FrequentBackupOld, BackupNotElsewhere } = conditions;

export const doctorAdmin = {
  "GET /doctor": reads({
    may: "system.read",
    run: (deps) => ({ findings: serviceFindings(deps) }),
  }),
};

/** Other findings of `peyk doctor` need the machine: systemd, the time service, DNS. */
export function serviceFindings({
  settings,
  clock,
  cluster,
}: Pick<OperatorDeps, "settings" | "clock" | "cluster">): ServiceFinding[] {
  const { dataDir, backup } = settings;
  const now = clock.now();
  return [
    diskFinding(dataDir),
    walFinding(dataDir),
    certificateFinding(settings, now),
    fraudFinding(settings),
    ...dropInFindings(settings),
    alertsFinding(settings),
    backupFinding(dataDir, backup.nightlyKeep, now),
    frequentBackupFinding(dataDir, backup.everyMinutes, now, followerCopies(cluster(), now)),
  ];
}

export function diskFinding(dataDir: string): ServiceFinding {
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const values = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  const [low] = DiskFull.find({ freeBytes: () => values.freeBytes });
  if (low === undefined) return findingOf("disk_free", values);
  return findingOf(DiskFull.isGrave?.(low) ? "disk_full" : "disk_low", values);
}

export function walFinding(dataDir: string): ServiceFinding {
  const bytes = walBytes(dataDir);
  return findingOf(WalGrows.find({ walBytes: () => bytes }).length === 0 ? "wal_small" : "wal_held", { bytes });
}

export function certificateFinding({ tls }: Settings, now: number): ServiceFinding {
  if (tls.certFile === null || tls.keyFile === null) return findingOf("tls_off", {});
  try {
    const { names, notBefore, notAfter: endsAt } = readCertificate(tls.certFile, tls.keyFile);
    if (now < notBefore) return findingOf("certificate_not_yet", { names, endsAt, beginsAt: notBefore });
    const [ends] = CertificateEnds.find({ certificateEndsAt: () => endsAt, now });
    if (ends === undefined) return findingOf("certificate_good", { names, endsAt });
    if (CertificateEnds.isGrave?.(ends)) return findingOf("certificate_expired", { names, endsAt });
    return findingOf("certificate_ends", { names, endsAt, days: Math.floor(ends.leftMs / fullDayMs) });
  } catch (reason) {
    if (!(reason instanceof CertificateUnusable)) throw reason;
    return findingOf("certificate_unusable", { words: reason.message });
  }
}

/** By the time in their names, as the service does: copying a file changes its own timestamp. */
const backupsOfKind = (dataDir: string, prefix: string) =>
  timedBackups(dataDir).filter(({ file }) => basename(file).startsWith(prefix));

export function backupFinding(dataDir: string, keep: number, now: number): ServiceFinding {
  if (keep === 0) return findingOf("nightly_off", {});
  const copies = backupsOfKind(dataDir, "peyk-");
  const newest = copies.at(-1)?.madeAt;
  if (newest === undefined) return findingOf("nightly_none", { file: join(dataDir, "first.db") });
  const values = { copies: copies.length, hours: Math.floor((now - newest) / 3_600_000) };
  const isOld = BackupOld.find({ nightlyAt: () => newest, now }).length > 0;
  return findingOf(isOld ? "nightly_old" : "nightly_fresh", values);
}

/**
 * What a stolen key could cost: codes to expensive numbers are the usual fraud, and only these two settings stop them.
 */
export function fraudFinding({ sending: { countries }, otp }: Settings): ServiceFinding {
  if (countries.length === 0 && !otp.fraudGuard) return findingOf("fraud_open", {});
  return findingOf("fraud_limited", { countries, isGuarded: otp.fraudGuard });
}

/** Nothing if it is not served, or is as it should be. */
export function dropInFindings(settings: Settings): ServiceFinding[] {
  const { listen: address } = settings.dropIn;
  const isPlain = address !== null && settings.tls.certFile === null && !isLoopback(hostPortOf(address).hostname);
  return isPlain ? [findingOf("drop_in_plain", { address })] : [];
}

export function alertsFinding({ alerts }: Settings): ServiceFinding {
  const channels = [
    ...(alerts.webhookUrl === "" ? [] : ["webhook" as const]),
    ...(alerts.smtpServer === "" ? [] : ["mail" as const]),
    ...(alerts.smsTo.length === 0 ? [] : ["sms" as const]),
  ];
  return channels.length > 0 ? findingOf("alerts_told", { channels }) : findingOf("alerts_untold", {});
}

/** `everyMinutes`: the setting; the actual interval is longer if a backup takes long. */
export function frequentBackupFinding(
  dataDir: string,
  everyMinutes: number,
  now: number,
  elsewhere: FollowerCopies = followerCopies(null, now),
): ServiceFinding {
  if (everyMinutes === 0) return findingOf("frequent_off", {});
  const newestAt = laterOf(newestBackup(dataDir)?.madeAt ?? null, elsewhere.copiedAt);
  if (newestAt === null) return findingOf("frequent_none", {});
  const own = readShipping(dataDir);
  const shipping = { ...own, madeAt: laterOf(own.madeAt, elsewhere.shippedAt) };
  const minutesSince = (at: number) => Math.floor((now - at) / 60_000);
  const values = {
    minutes: minutesSince(newestAt),
    elsewhereMinutes: shipping.madeAt === null ? null : minutesSince(shipping.madeAt),
  };
  if (shipping.failure !== null) return findingOf("frequent_not_shipped", { ...values, words: shipping.failure });
  const times = { frequentIntervalMs: () => everyMinutes * 60_000, now };
  const frequentAt = laterOf(backupsOfKind(dataDir, "recent-").at(-1)?.madeAt ?? null, elsewhere.copiedAt);
  const isOld =
    FrequentBackupOld.find({ ...times, frequentAt: () => frequentAt }).length > 0 ||
    BackupNotElsewhere.find({ ...times, shippedAt: () => shippedAt(shipping) }).length > 0;
  return findingOf(isOld ? "frequent_old" : "frequent_fresh", values);
}
