/** The conditions are those of the rules for Prometheus, and judge by what the service's own metrics say. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AlertFinding } from "../../src/alerts/condition.ts";
import { metricConditions } from "../../src/alerts/metric-conditions.ts";
import { MetricSamples, type Sample, watchedCounters, watchedGauges } from "../../src/alerts/metric-samples.ts";
import { metricReader } from "../../src/metrics/metric-reader.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { type GaugeSources, registerServiceGauges } from "../../src/metrics/service-gauges.ts";
import { temporaryFolder } from "../support/test-server.ts";

const minuteMs = 60_000;
const now = Date.UTC(2026, 0, 5, 12);

interface Rule {
  alert: string;
  for?: string;
  labels: { severity: string };
}

test("docs/alerts.rules.yml has the same conditions, with the same hold and severity", () => {
  const file = readFileSync(join(import.meta.dir, "..", "..", "docs", "alerts.rules.yml"), "utf8");
  const { groups } = Bun.YAML.parse(file) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const holdOf = ({ for: hold }: Rule) => (hold === undefined ? 0 : Number(/^(\d+)m$/.exec(hold)?.[1]) * minuteMs);
  // A service that is down tells nobody.
  const told = rules.filter(({ alert }) => alert !== "PeykDown");
  expect(told.map((rule) => [rule.alert, rule.labels.severity, holdOf(rule)]).sort()).toEqual(
    metricConditions.map(({ name, severity, holdMs }) => [`Peyk${name}`, severity, holdMs]).sort(),
  );
});

/** What is found by two samples, ten minutes apart, of these metrics. */
async function found(name: string, before: Record<string, Sample[]>, after: Record<string, Sample[]>) {
  const samples = new MetricSamples();
  samples.add(0, new Map(Object.entries(before)));
  samples.add(10 * minuteMs, new Map(Object.entries(after)));
  const one = metricConditions.find((each) => each.name === name);
  if (one === undefined) throw new Error(`There is no condition ${name}`);
  const findings: readonly AlertFinding[] = await one.find(samples, now);
  return findings.map(({ subject, words }) => [subject, words]);
}

const submits = (route: string, counts: Record<string, number>) =>
  Object.entries(counts).map(([outcome, value]) => ({ value, labels: { route, outcome } }));
const seconds = (at: number) => at / 1_000;

describe("finds", () => {
  test("routes that refuse, throttle or report nothing, by what was added since", async () => {
    const before = { peyk_submits_total: submits("a", { accepted: 1_000, rejected: 1_000 }) };
    const good = { peyk_submits_total: submits("a", { accepted: 1_100, rejected: 1_010 }) };
    const bad = {
      peyk_submits_total: [...submits("a", { accepted: 1_100, rejected: 1_100 }), ...submits("b", { accepted: 9 })],
    };
    expect(await found("Refusals", before, good)).toEqual([]);
    expect(await found("Refusals", before, bad)).toEqual([["a", "Route a refuses 50 % of its messages"]]);
    const throttled = { peyk_submits_total: submits("a", { throttled: 700 }) };
    expect(await found("Throttled", {}, throttled)).toEqual([["a", 'Route a says "too fast"']]);
    expect(await found("Throttled", throttled, throttled)).toEqual([]);
    const applied = {
      peyk_receipts_total: [{ value: 1, labels: { route: "a", state: "delivered", effect: "applied" } }],
    };
    expect(await found("ReceiptsMissing", before, bad)).toEqual([
      ["a", "Route a takes messages and sends no receipts"],
    ]);
    expect(await found("ReceiptsMissing", before, { ...bad, ...applied })).toEqual([]);
  });

  test("refusals where there are ten or more, and nothing where a single message was refused", async () => {
    const after = (rejected: number) => ({ peyk_submits_total: submits("a", { rejected, accepted: 1 }) });
    expect(await found("Refusals", {}, after(1))).toEqual([]);
    expect(await found("Refusals", {}, after(9))).toEqual([]);
    expect(await found("Refusals", {}, after(10))).toEqual([["a", "Route a refuses 91 % of its messages"]]);
  });

  test("callbacks that fail where there are ten or more, and nothing where one receiver was restarted", async () => {
    const attempts = (outcomes: Record<string, number>) => ({
      peyk_callback_attempts_total: Object.entries(outcomes).map(([outcome, value]) => ({
        value,
        labels: { outcome },
      })),
    });
    expect(await found("CallbacksFail", {}, attempts({ timeout: 1 }))).toEqual([]);
    expect(await found("CallbacksFail", {}, attempts({ timeout: 5, refused: 4 }))).toEqual([]);
    expect(await found("CallbacksFail", {}, attempts({ timeout: 10, delivered: 10 }))).toEqual([]);
    expect(await found("CallbacksFail", {}, attempts({ timeout: 6, refused: 4, delivered: 2 }))).toEqual([
      ["", "83 % of callback attempts fail"],
    ]);
  });

  test("a route that is down where a message of an active sender may take it", async () => {
    const gauges = (isUsed: number, up: number) => ({
      peyk_route_up: [{ value: up, labels: { route: "a", kind: "smpp" } }],
      peyk_route_used: [{ value: isUsed, labels: { route: "a" } }],
    });
    expect(await found("RouteDown", {}, gauges(1, 0))).toEqual([["a", "Route a is down and its messages wait"]]);
    expect(await found("RouteDown", {}, gauges(0, 0))).toEqual([]);
    expect(await found("RouteDown", {}, gauges(1, 1))).toEqual([]);
  });

  test("what is late, full or old, and nothing where a gauge has no value", async () => {
    const late = { peyk_queue_oldest_seconds: [{ value: 16, labels: { class: "otp" } }] };
    expect(await found("OtpLate", {}, late)).toEqual([["", "A one-time password has been waiting for 16 s"]]);
    expect(await found("SingleLate", {}, late)).toEqual([]);
    const full = { peyk_disk_free_bytes: [{ value: 1024 ** 3, labels: {} }] };
    expect(await found("DiskFull", {}, full)).toEqual([["", "Only 1.0 GiB are free for the data folder"]]);
    const old = { peyk_last_backup_timestamp_seconds: [{ value: seconds(now - 40 * 60 * minuteMs), labels: {} }] };
    expect(await found("BackupOld", {}, old)).toEqual([["", "The newest nightly backup is 40 h old"]]);
    const ends = {
      peyk_certificate_end_timestamp_seconds: [{ value: seconds(now + 5 * 24 * 60 * minuteMs), labels: {} }],
    };
    expect(await found("CertificateEnds", {}, ends)).toEqual([["", "The certificate ends in 5 d"]]);
    for (const { name } of metricConditions) expect(await found(name, {}, {})).toEqual([]);
  });

  test("slow commits by the share of those that were made since", async () => {
    const buckets = (fast: number, all: number) => [
      { value: fast, labels: { le: 0.1 } },
      { value: all, labels: { le: 0.5 } },
      { value: all, labels: { le: "+Inf" } },
    ];
    const before = { peyk_commit_seconds_bucket: buckets(0, 1_000) };
    expect(await found("CommitsSlow", before, { peyk_commit_seconds_bucket: buckets(1_000, 2_001) })).toEqual([]);
    const [slow] = await found("CommitsSlow", before, { peyk_commit_seconds_bucket: buckets(900, 2_000) });
    expect(slow?.[1]).toMatch(/^One commit in a hundred takes longer than 4\d\d ms$/);
  });
});

/** The gauges of a service that has no more than a disk. */
function bareSources(folder: string): GaugeSources {
  return {
    version: "1",
    dataDir: folder,
    databasePath: join(folder, "peyk.db"),
    now: () => now,
    queue: () => [],
    oldestDue: () => [],
    routes: () => [],
    callbacksInFlight: () => 0,
    webhooksSwitchedOff: () => 0,
    certificateEndsAt: () => null,
    lastNightlyBackupAt: () => null,
    lastFrequentBackupAt: () => null,
    lastShippedAt: () => null,
  };
}

test("a service without TLS and backups has no old certificate and no old backup", async () => {
  const folder = temporaryFolder();
  const { registry } = createMetrics({ className: String, routeName: () => "a" });
  const gauges = registerServiceGauges(registry, bareSources(folder.path));
  const values = await metricReader(registry)(watchedGauges);
  gauges.stop();
  folder.remove();
  const without = [...values].flatMap(([name, { length }]) => (length === 0 ? [name] : []));
  expect(without.filter((name) => name.includes("timestamp"))).toHaveLength(4);
});

test("every metric that conditions watch is served, with the labels that they go by", async () => {
  const folder = temporaryFolder();
  const metrics = createMetrics({ className: String, routeName: () => "a" });
  const gauges = registerServiceGauges(metrics.registry, {
    ...bareSources(folder.path),
    oldestDue: () => [{ class: "otp", oldestDueAt: now - 20_000 }],
    routes: () => [{ name: "a", kind: "smpp", up: false, isUsed: true, window: 1, unanswered: 0, links: [] }],
    webhooksSwitchedOff: () => 1,
    certificateEndsAt: () => now,
    lastNightlyBackupAt: () => now,
    lastFrequentBackupAt: () => now,
    lastShippedAt: () => now,
  });
  metrics.dispatch.submitted({ configuration: { name: "a" } }, { kind: "rejected" }, 1);
  metrics.dispatch.receipt(1, "delivered", "orphaned");
  metrics.commits.committed(1, 300, false);
  metrics.callbacks.attempted("timeout", 10);
  const read = metricReader(metrics.registry);
  const names = [...watchedCounters, ...watchedGauges];
  const values = await read(names);
  gauges.stop();
  folder.remove();
  const unread = names.filter(
    (name) => name !== "peyk_event_loop_delay_seconds_bucket" && values.get(name)?.length === 0,
  );
  expect(unread).toEqual([]);
  expect(values.get("peyk_submits_total")).toEqual([{ value: 1, labels: { route: "a", outcome: "rejected" } }]);
  expect(values.get("peyk_commit_seconds_bucket")?.at(-1)).toEqual({ value: 1, labels: { le: "+Inf" } });
  const samples = new MetricSamples();
  samples.add(0, values);
  const judged = await Promise.all(
    metricConditions.map(async (one) => [one.name, await one.find(samples, now)] as const),
  );
  expect(judged.flatMap(([name, findings]) => (findings.length > 0 ? [name] : [])).sort()).toEqual(
    ["CertificateEnds", "OtpLate", "RouteDown", "WebhookSwitchedOff"].sort(),
  );
});
