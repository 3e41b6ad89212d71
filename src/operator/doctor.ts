/** `/doctor`: findings that the running service can tell of itself: certificate, disk, copies, and who is told of what. */
import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import type { Settings } from "../config/settings.ts";
import { CertificateUnusable, readCertificate } from "../platform/certificate.ts";
import { newestBackup } from "../platform/rotating-backup.ts";
import { readShipping } from "../platform/shipping.ts";
import type { OperatorDeps } from "./deps.ts";
import { bad, type Finding, note, ok, warn } from "./finding.ts";

const mib = 1024 * 1024;
const freeBytesMin = 256 * mib;
const freeBytesComfortable = 2048 * mib;
const walBytesMax = 256 * mib;
const dayMs = 86_400_000;
/** ACME clients renew 30 days before the end: with fewer days left, a renewal has failed. */
const certificateDaysMin = 14;
/** One copy may fail, and one may be late. */
const intervalsMax = 3;
const backupAgeMsMax = 36 * 3_600_000;

export function doctorRoutes(deps: Pick<OperatorDeps, "settings" | "clock">) {
  return new Elysia().get("/doctor", () => ({ findings: serviceFindings(deps) }));
}

/** What `peyk doctor` finds besides needs the machine: systemd, the time service, DNS. */
export function serviceFindings({ settings, clock }: Pick<OperatorDeps, "settings" | "clock">): Finding[] {
  const { dataDir, backup } = settings;
  const now = clock.now();
  return [
    diskFinding(dataDir),
    walFinding(dataDir),
    certificateFinding(settings, now),
    fraudFinding(settings),
    alertsFinding(settings),
    backupFinding(dataDir, backup.nightlyKeep, now),
    frequentBackupFinding(dataDir, backup.everyMinutes, now),
  ];
}

export function diskFinding(dataDir: string): Finding {
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const free = bavail * bsize;
  const says = `${Math.floor(free / mib)} MiB free of ${Math.floor((blocks * bsize) / mib)}`;
  const todo =
    "free some space, keep messages for less time (messages.retention_days), or keep fewer copies (backup.nightly_keep)";
  if (free < freeBytesMin) return bad("disk", `${says}: soon nothing can be accepted`, todo);
  return free < freeBytesComfortable ? warn("disk", says, todo) : ok("disk", says);
}

export function walFinding(dataDir: string): Finding {
  const bytes = statSync(join(dataDir, "peyk.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
  const says = `${(bytes / mib).toFixed(1)} MiB`;
  if (bytes < walBytesMax) return ok("wal", says);
  return warn(
    "wal",
    `${says}: another process keeps the database open for reading`,
    "find the sqlite3 shell or stuck backup and end it: lsof peyk.db",
  );
}

export function certificateFinding({ tls }: Settings, now: number): Finding {
  if (tls.certFile === null || tls.keyFile === null) {
    return note(
      "certificate",
      "the public listener serves plain HTTP; put a proxy with TLS in front of it, or set tls.cert_file",
    );
  }
  try {
    const { names, notBefore, notAfter } = readCertificate(tls.certFile, tls.keyFile);
    const days = Math.floor((notAfter - now) / dayMs);
    const says = `${names}, until ${new Date(notAfter).toISOString().slice(0, 10)}`;
    const todo = "renew it, then: systemctl reload peyk";
    if (now < notBefore)
      return bad(
        "certificate",
        `${says}, but not before ${new Date(notBefore).toISOString()}`,
        "check the clock, or wait",
      );
    if (now >= notAfter) return bad("certificate", `${says}: it has expired`, todo);
    return days < certificateDaysMin
      ? warn("certificate", `${says}: ${days} days are left`, todo)
      : ok("certificate", says);
  } catch (reason) {
    if (!(reason instanceof CertificateUnusable)) throw reason;
    return bad(
      "certificate",
      reason.message,
      "correct the files; until then a start fails, and a reload keeps the old certificate",
    );
  }
}

export function backupFinding(dataDir: string, keep: number, now: number): Finding {
  if (keep === 0) return note("backup", "nightly copies are off (backup.nightly_keep = 0)");
  const folder = join(dataDir, "backups");
  const copies = existsSync(folder) ? readdirSync(folder).filter((name) => /^peyk-.*\.db$/.test(name)) : [];
  const newest = Math.max(0, ...copies.map((name) => statSync(join(folder, name)).mtimeMs));
  if (newest === 0)
    return note(
      "backup",
      "there is no nightly copy yet",
      `the first comes at 03:17; now: peyk backup create ${join(dataDir, "first.db")}`,
    );
  const hours = Math.floor((now - newest) / 3_600_000);
  const says = `${copies.length} nightly copies, the newest ${hours} h old`;
  if (now - newest <= backupAgeMsMax) return ok("backup", `${says}; keep some on another machine`);
  return warn("backup", says, 'look for "the nightly backup failed" in the log: journalctl -u peyk');
}

/** What a stolen key could cost: codes to expensive numbers are the usual fraud, and nothing but these two stops them. */
export function fraudFinding({ sending, otp }: Settings): Finding {
  const limited = sending.countries.length > 0;
  if (limited || otp.fraudGuard) {
    const countries = limited ? `messages go to ${sending.countries.join(", ")}` : "messages go to every country";
    return ok("fraud", `${countries}; the guard over one-time passwords is ${otp.fraudGuard ? "on" : "off"}`);
  }
  return warn(
    "fraud",
    "messages go to every country and the guard over one-time passwords is off: a stolen key can send without a limit",
    'sending.countries = ["IR"], or otp.fraud_guard = true; for one account: peyk account update ID --countries IR',
  );
}

export function alertsFinding({ alerts }: Settings): Finding {
  const named = [alerts.webhookUrl !== "" ? "webhook" : [], alerts.smtpServer !== "" ? "mail" : []].flat();
  const channels = alerts.smsTo.length > 0 ? [...named, "sms"] : named;
  if (channels.length > 0) return ok("alerts", `operators are told by ${channels.join(", ")}; try it: peyk alert test`);
  const todo = "name a mail server, a webhook or phones under [alerts]; or let Prometheus watch: see docs/alerts.md";
  return note("alerts", "nobody is told when something is wrong", todo);
}

/** `everyMinutes`: the setting; the interval is longer where a copy takes long. */
export function frequentBackupFinding(dataDir: string, everyMinutes: number, now: number): Finding {
  const check = "frequent backup";
  if (everyMinutes === 0) return note(check, "no copies every few minutes (backup.every_minutes = 0)");
  const newest = newestBackup(dataDir);
  if (newest === null) return note(check, "there is no copy yet", "start the service; the first is made at once");
  const { madeAt, failure } = readShipping(dataDir);
  const minutesSince = (at: number) => `${Math.floor((now - at) / 60_000)} min old`;
  const elsewhere = madeAt === null ? "none is elsewhere" : `the newest elsewhere ${minutesSince(madeAt)}`;
  const says = `the newest copy is ${minutesSince(newest.madeAt)}, ${elsewhere}`;
  if (failure !== null) return warn(check, `${says}: ${failure}`, "journalctl -u peyk-ship-backup");
  if (now - newest.madeAt <= everyMinutes * 60_000 * intervalsMax) return ok(check, says);
  return warn(check, says, 'look for "the frequent backup failed" in the log: journalctl -u peyk');
}
