/** The conditions that docs/alerts.rules.yml has for Prometheus, judged within the process by the same metrics and limits. */
import { type AlertCode, type AlertValues, alertOf } from "../domain/alert-text.ts";
import type { AlertCondition, AlertFinding } from "./condition.ts";
import type { Sample, WatchedCounter, WatchedGauge } from "./metric-samples.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const gib = 1024 ** 3;

type Condition = Omit<AlertCondition, "windowMs"> & { windowMs?: number };
const condition = (one: Condition): AlertCondition => ({ windowMs: 0, ...one });

/** A finding about the service as a whole for each value of a gauge that is wrong. */
function ofGauge<Code extends AlertCode>(
  gauge: WatchedGauge,
  isWrong: (value: number, now: number, labels: Sample["labels"]) => boolean,
  code: Code,
  values: (value: number, now: number) => AlertValues[Code],
): AlertCondition["find"] {
  return (samples, now) =>
    samples
      .gauge(gauge)
      .flatMap(({ value, labels }) =>
        isWrong(value, now, labels) ? [alertOf<Code>(code, "", values(value, now)) as AlertFinding] : [],
      );
}

function late(name: "OtpLate" | "SingleLate" | "BulkLate", messageClass: string, secondsMax: number): Condition {
  return {
    name,
    severity: "page",
    holdMs: minuteMs,
    todo: () => "peyk status",
    find: ofGauge(
      "peyk_queue_oldest_seconds",
      (seconds, _, labels) => labels.class === messageClass && seconds > secondsMax,
      name,
      (seconds) => ({ waitedMs: seconds * 1_000 }),
    ),
  };
}

type BackupCode = "BackupOld" | "FrequentBackupOld" | "BackupNotElsewhere";

function old(name: BackupCode, gauge: WatchedGauge, agoMsMax: number, todo: string): AlertCondition {
  return condition({
    name,
    severity: "ticket",
    holdMs: 0,
    todo: () => todo,
    find: ofGauge(
      gauge,
      (seconds, now) => now - seconds * 1_000 > agoMsMax,
      name,
      (seconds, now) => ({ ageMs: seconds === 0 ? null : now - seconds * 1_000 }),
    ),
  });
}

function slow(name: "CommitsSlow" | "EventLoopSlow", histogram: WatchedCounter, todo: string): AlertCondition {
  const windowMs = 5 * minuteMs;
  return condition({
    name,
    severity: "ticket",
    holdMs: 10 * minuteMs,
    windowMs,
    todo: () => todo,
    find: (samples) => {
      const seconds = samples.quantile(histogram, windowMs, 0.99) ?? 0;
      return seconds > 0.25 ? [alertOf(name, "", { takenMs: Math.round(seconds * 1_000) })] : [];
    },
  });
}

/** A finding for each route whose sum is wrong. */
function routesWhere(
  sums: ReadonlyMap<string, number>,
  isWrong: (sum: number, route: string) => boolean,
  finding: (route: string, sum: number) => AlertFinding,
): AlertFinding[] {
  return [...sums].flatMap(([route, sum]) => (isWrong(sum, route) ? [finding(route, sum)] : []));
}

const ofRoute = (code: "RouteDown" | "Throttled" | "ReceiptsMissing" | "ReceiptsOrphaned") => (route: string) =>
  alertOf(code, route, { route });

/** Within ten minutes: fewer wrong numbers than these are everyday. */
const refusalsMin = 10;

/** Those of routes that go by what carriers answer. */
const carrierConditions: readonly AlertCondition[] = [
  condition({
    name: "RouteDown",
    severity: "page",
    holdMs: 3 * minuteMs,
    isOfRoute: true,
    todo: (route) => `peyk route test ${route}`,
    find(samples) {
      const unused = samples.gauge("peyk_route_used").flatMap(({ value, labels }) => (value === 0 ? labels.route : []));
      const down = samples
        .gauge("peyk_route_up")
        .flatMap(({ value, labels: { route } }) => (value === 0 && !unused.includes(route) ? [String(route)] : []));
      return down.map(ofRoute("RouteDown"));
    },
  }),
  condition({
    name: "Refusals",
    severity: "ticket",
    holdMs: 10 * minuteMs,
    windowMs: 10 * minuteMs,
    isOfRoute: true,
    todo: (route) => `peyk message search --status failed --route ${route}`,
    find: (samples) => {
      const all = samples.sums("peyk_submits_total", 10 * minuteMs, "route");
      const rejected = samples.sums("peyk_submits_total", 10 * minuteMs, "route", { outcome: "rejected" });
      const shareOf = (sum: number, route: string) => sum / Math.max(all.get(route) ?? 0, 1);
      return routesWhere(
        rejected,
        (sum, route) => sum >= refusalsMin && shareOf(sum, route) > 0.2,
        (route, sum) => alertOf("Refusals", route, { route, share: shareOf(sum, route) }),
      );
    },
  }),
  condition({
    name: "Throttled",
    severity: "ticket",
    holdMs: 10 * minuteMs,
    windowMs: 10 * minuteMs,
    isOfRoute: true,
    todo: (route) => `lower partsPerSecond to what the contract allows: peyk route update ${route} --config FILE`,
    find: (samples) =>
      routesWhere(
        samples.sums("peyk_submits_total", 10 * minuteMs, "route", { outcome: "throttled" }),
        (sum) => sum / samples.seconds(10 * minuteMs) > 1,
        ofRoute("Throttled"),
      ),
  }),
  condition({
    name: "ReceiptsMissing",
    severity: "ticket",
    holdMs: 30 * minuteMs,
    windowMs: 30 * minuteMs,
    isOfRoute: true,
    todo: (route) => `does the bind ask for receipts, and do their ids match? peyk route receipts ${route}`,
    find: (samples) => {
      const applied = samples.sums("peyk_receipts_total", 30 * minuteMs, "route", { effect: "applied" });
      return routesWhere(
        samples.sums("peyk_submits_total", 30 * minuteMs, "route", { outcome: "accepted" }),
        (sum, route) => sum / samples.seconds(30 * minuteMs) > 0.1 && (applied.get(route) ?? 0) === 0,
        ofRoute("ReceiptsMissing"),
      );
    },
  }),
  condition({
    name: "ReceiptsOrphaned",
    severity: "ticket",
    holdMs: 30 * minuteMs,
    windowMs: 30 * minuteMs,
    isOfRoute: true,
    todo: (route) => `peyk route receipts ${route}`,
    find: (samples) =>
      routesWhere(
        samples.sums("peyk_receipts_total", 30 * minuteMs, "route", { effect: "orphaned" }),
        (sum) => sum / samples.seconds(30 * minuteMs) > 0.5,
        ofRoute("ReceiptsOrphaned"),
      ),
  }),
];

const queueConditions: readonly AlertCondition[] = [
  condition(late("OtpLate", "otp", 15)),
  condition({ ...late("SingleLate", "single", 60), holdMs: 2 * minuteMs }),
  condition({
    ...late("BulkLate", "bulk", 3_600),
    severity: "ticket",
    holdMs: 10 * minuteMs,
    todo: () => "compare the route's parts a second with what was sent: peyk route list",
  }),
];

const diskConditions: readonly AlertCondition[] = [
  condition({
    name: "CannotStore",
    severity: "page",
    holdMs: 0,
    windowMs: 5 * minuteMs,
    todo: () => "df -h; dmesg | tail; journalctl -u peyk",
    find: (samples) =>
      samples.increases("peyk_commit_failures_total", 5 * minuteMs).some(({ value }) => value > 0)
        ? [alertOf("CannotStore", "", {})]
        : [],
  }),
  slow("CommitsSlow", "peyk_commit_seconds_bucket", "peyk doctor shows the time of an fsync"),
  slow(
    "EventLoopSlow",
    "peyk_event_loop_delay_seconds_bucket",
    "is the machine short of processor time? top; peyk doctor",
  ),
  condition({
    name: "WalGrows",
    severity: "ticket",
    holdMs: 15 * minuteMs,
    todo: () => "somebody holds the database open for reading: lsof /var/lib/peyk/peyk.db",
    find: ofGauge(
      "peyk_wal_bytes",
      (bytes) => bytes > gib / 2,
      "WalGrows",
      (bytes) => ({ bytes }),
    ),
  }),
  condition({
    name: "DiskFull",
    severity: "page",
    holdMs: 5 * minuteMs,
    todo: () => 'see "The disk is full" in troubleshooting.md',
    find: ofGauge(
      "peyk_disk_free_bytes",
      (bytes) => bytes < 2 * gib,
      "DiskFull",
      (bytes) => ({ bytes }),
    ),
  }),
];

/** Within a quarter of an hour: a single receiver that restarts is everyday. */
const failedCallbacksMin = 10;

const callbackConditions: readonly AlertCondition[] = [
  condition({
    name: "CallbacksFail",
    severity: "ticket",
    holdMs: 15 * minuteMs,
    windowMs: 15 * minuteMs,
    todo: () => "peyk webhook list",
    find: (samples) => {
      const attempts = samples.sums("peyk_callback_attempts_total", 15 * minuteMs, "outcome");
      const all = [...attempts.values()].reduce((sum, value) => sum + value, 0);
      const failed = all - (attempts.get("delivered") ?? 0);
      const share = failed / Math.max(all, 1);
      const isWrong = failed >= failedCallbacksMin && share > 0.5;
      return isWrong ? [alertOf("CallbacksFail", "", { share })] : [];
    },
  }),
  condition({
    name: "WebhookSwitchedOff",
    severity: "ticket",
    holdMs: 0,
    todo: () => "peyk webhook list; tell the customer, who switches it on again by the API",
    find: ofGauge(
      "peyk_webhooks_switched_off",
      (count) => count > 0,
      "WebhookSwitchedOff",
      (count) => ({ count }),
    ),
  }),
];

const careConditions: readonly AlertCondition[] = [
  old("BackupOld", "peyk_last_backup_timestamp_seconds", 36 * hourMs, "journalctl -u peyk"),
  old("FrequentBackupOld", "peyk_last_frequent_backup_timestamp_seconds", hourMs, "journalctl -u peyk | grep backup"),
  old("BackupNotElsewhere", "peyk_last_shipped_backup_timestamp_seconds", hourMs, "journalctl -u peyk-ship-backup"),
  condition({
    name: "CertificateEnds",
    severity: "ticket",
    holdMs: 0,
    todo: () => "renew it, then systemctl reload peyk",
    find: ofGauge(
      "peyk_certificate_end_timestamp_seconds",
      (seconds, now) => seconds * 1_000 - now < 14 * dayMs,
      "CertificateEnds",
      (seconds, now) => ({ leftMs: seconds * 1_000 - now }),
    ),
  }),
];

export const metricConditions: readonly AlertCondition[] = [
  ...carrierConditions,
  ...queueConditions,
  ...diskConditions,
  ...callbackConditions,
  ...careConditions,
];
