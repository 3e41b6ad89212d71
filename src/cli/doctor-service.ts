/** The doctor's checks of the service: certificate, backups, systemd unit, and the running server with its routes. */
import { lookup } from "node:dns/promises";
import { existsSync, readdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { StatusAnswer } from "../operator/status.ts";
import { CertificateUnusable, readCertificate } from "../platform/certificate.ts";
import { errorCode } from "../platform/error-code.ts";
import { newestBackup } from "../platform/rotating-backup.ts";
import { readShipping } from "../platform/shipping.ts";
import { answerOf, type OperatorClient } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import { bad, type Finding, note, ok, outputOf, properties, warn } from "./finding.ts";

const dayMs = 86_400_000;
/** ACME clients renew 30 days before the end: with fewer days left, a renewal has failed. */
const certificateDaysMin = 14;
/** One copy may fail, and one may be late. */
const intervalsMax = 3;
const backupAgeMsMax = 36 * 3_600_000;
/** The exposure score of `systemd-analyze security`; Peyk's own unit scores below 1.5. */
const exposureMax = 2;

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

/** `pid` is null where systemd does not run, does not know the unit, or has no process for it. */
export async function unitFindings(): Promise<{ pid: number | null; findings: Finding[] }> {
  const wanted = "LoadState,ActiveState,NRestarts,MainPID,MemoryDenyWriteExecute";
  const shown = existsSync("/run/systemd/system") ? await outputOf(["systemctl", "show", "peyk", "-p", wanted]) : null;
  const unit = properties(shown ?? "");
  if (unit.get("LoadState") !== "loaded")
    return { pid: null, findings: [note("unit", "Peyk is not a systemd service here")] };
  const restarts = Number(unit.get("NRestarts") ?? 0);
  const active = unit.get("ActiveState") ?? "unknown";
  const findings = [
    active === "active"
      ? ok("unit", "peyk.service is active")
      : bad("unit", `peyk.service is ${active}`, "journalctl -u peyk -n 50, then: systemctl start peyk"),
    ...(restarts > 0
      ? [
          warn(
            "unit restarts",
            `systemd has restarted it ${restarts} times`,
            "journalctl -u peyk | grep -i -e error -e fatal",
          ),
        ]
      : []),
    ...(unit.get("MemoryDenyWriteExecute") === "yes"
      ? [bad("unit", "MemoryDenyWriteExecute= switches the JIT off", "remove it: systemctl edit peyk")]
      : []),
    await exposureFinding(),
  ];
  const pid = Number(unit.get("MainPID") ?? 0);
  return { pid: pid > 0 ? pid : null, findings };
}

async function exposureFinding(): Promise<Finding> {
  const output = await outputOf(["systemd-analyze", "security", "peyk", "--no-pager"]);
  const score = Number(/Overall exposure level[^:]{0,80}: ([\d.]+)/.exec(output ?? "")?.[1] ?? Number.NaN);
  if (Number.isNaN(score)) return note("unit score", "systemd-analyze gives no score here");
  if (score <= exposureMax) return ok("unit score", `${score} (0 is best, 10 is open)`);
  return warn(
    "unit score",
    `${score}: the unit is less hardened than as installed`,
    "systemctl cat peyk shows the changes",
  );
}

/** The check's name for scripts that read `peyk doctor --json`. */
const serverCheck = "service";

/** The status of the running server, and the DNS names of its routes. */
export async function serverFindings(api: OperatorClient): Promise<Finding[]> {
  try {
    const status = await answerOf(api.status.get());
    const routes = await answerOf(api.routes.get());
    const hosts = routes.filter(({ enabled }) => enabled).flatMap(({ options }) => hostsIn(options));
    return [
      status.ready
        ? ok(serverCheck, `version ${status.version} is ready`)
        : bad(serverCheck, "the service runs and is NOT READY", "peyk status"),
      ...status.routes.filter(({ enabled }) => enabled).map(routeFinding),
      ...status.warnings
        .filter((warning) => !/^(Route |NOT READY)/.test(warning))
        .map((warning) => warn("status", warning, "peyk status")),
      ...(await Promise.all([...new Set(hosts)].map(dnsFinding))),
    ];
  } catch (reason) {
    if (!(reason instanceof CommandFailed)) throw reason;
    const [says = "", ...todo] = reason.message.split("\n");
    return [bad(serverCheck, says, todo[0]?.replace(/\s+/g, " ").trim() ?? "peyk status")];
  }
}

function routeFinding({ name, up, lastError }: StatusAnswer["routes"][number]): Finding {
  if (up) return ok(`route ${name}`, "up");
  return bad(
    `route ${name}`,
    `down${lastError === null ? "" : `: ${lastError}`}; its messages wait`,
    `peyk route test ${name}`,
  );
}

/** The hosts of every `host` and `url` in a route's file, at any depth. */
function hostsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== "string") return hostsIn(value);
    if (key === "host") return [value];
    return key === "url" && URL.canParse(value) ? [new URL(value).hostname] : [];
  });
}

async function dnsFinding(host: string): Promise<Finding> {
  if (isIP(host.replaceAll(/[[\]]/g, "")) !== 0) return ok(`address of ${host}`, "a literal address needs no DNS");
  try {
    const { address } = await lookup(host);
    return ok(`address of ${host}`, address);
  } catch (reason) {
    return bad(
      `address of ${host}`,
      `the name has no address (${errorCode(reason) || "no answer"})`,
      `getent hosts ${host}; check /etc/resolv.conf and the route's file`,
    );
  }
}
