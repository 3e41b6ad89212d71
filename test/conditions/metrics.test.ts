/** Conditions based on rates use the service's own metrics. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ConditionCode, findCondition } from "../../src/conditions/conditions.ts";
import { MetricSamples, type Sample, watchedCounters, watchedGauges } from "../../src/conditions/metric-samples.ts";
import { metricReader } from "../../src/metrics/metric-reader.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { type GaugeSources, registerServiceGauges } from "../../src/metrics/service-gauges.ts";
import { wellAt } from "../support/condition-facts.ts";
import { temporaryFolder } from "../support/test-server.ts";

const minuteMs = 60_000;
const now = Date.UTC(2026, 0, 5, 12);

/** The conditions found in two samples of these metrics, ten minutes apart. */
async function found(code: ConditionCode, before: Record<string, Sample[]>, after: Record<string, Sample[]>) {
  const samples = new MetricSamples();
  samples.add(0, new Map(Object.entries(before)));
  samples.add(10 * minuteMs, new Map(Object.entries(after)));
  const findings = await findCondition(code, wellAt(now, { samples }));
  return findings.map(({ subject, words }) => [subject, words]);
}

const submits = (route: string, counts: Record<string, number>) =>
  Object.entries(counts).map(([outcome, value]) => ({ value, labels: { route, outcome } }));

describe("conditions on metrics find", () => {
  test("routes that refuse, throttle or report nothing, by the increase since the last look", async () => {
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

  test("refusals from ten on, and nothing after a single refused message", async () => {
    const after = (rejected: number) => ({ peyk_submits_total: submits("a", { rejected, accepted: 1 }) });
    expect(await found("Refusals", {}, after(1))).toEqual([]);
    expect(await found("Refusals", {}, after(9))).toEqual([]);
    expect(await found("Refusals", {}, after(10))).toEqual([["a", "Route a refuses 91 % of its messages"]]);
  });

  test("failing callbacks from ten on, and nothing after one receiver was restarted", async () => {
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

  test("messages that are late", async () => {
    const late = { peyk_queue_oldest_seconds: [{ value: 16, labels: { class: "otp" } }] };
    expect(await found("OtpLate", {}, late)).toEqual([["", "A one-time password has been waiting for 16 s"]]);
    expect(await found("SingleLate", {}, late)).toEqual([]);
  });

  test("slow commits by their share of the commits since the last look", async () => {
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

/** The gauges of a service that has only a disk. */
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
    webhookPaces: () => [],
    webhooksSwitchedOff: () => 0,
    certificateEndsAt: () => null,
    lastNightlyBackupAt: () => null,
    lastFrequentBackupAt: () => null,
    lastShippedAt: () => null,
    lastTargetCopyAt: () => null,
    frequentIntervalMs: () => null,
    isDamaged: () => false,
    heldSince: () => null,
    clockAheadMs: () => 0,
    booksAheadMs: () => 0,
  };
}

test("a service without TLS and backups reports no old certificate and no old backup", async () => {
  const folder = temporaryFolder();
  const { registry } = createMetrics({ className: String, classNames: [], routeName: () => "a" });
  const gauges = registerServiceGauges(registry, bareSources(folder.path));
  const dated = [
    "peyk_last_backup_timestamp_seconds",
    "peyk_last_frequent_backup_timestamp_seconds",
    "peyk_last_shipped_backup_timestamp_seconds",
    "peyk_last_target_backup_timestamp_seconds",
    "peyk_certificate_end_timestamp_seconds",
    "peyk_queue_held_since_timestamp_seconds",
    "peyk_frequent_backup_interval_seconds",
  ];
  const values = await metricReader(registry)(dated);
  gauges.stop();
  folder.remove();
  expect(dated.map((name) => values.get(name))).toEqual(dated.map(() => []));
});

test("the concurrent attempts of webhooks are summed by reason, and reported before the first", async () => {
  const folder = temporaryFolder();
  const { registry } = createMetrics({ className: String, classNames: [], routeName: () => "a" });
  const webhookPaces = () => [
    { attemptsAtOnce: 32, reason: "prompt" },
    { attemptsAtOnce: 7, reason: "prompt" },
    { attemptsAtOnce: 1, reason: "throttled" },
  ];
  const gauges = registerServiceGauges(registry, { ...bareSources(folder.path), webhookPaces });
  const values = await metricReader(registry)(["peyk_webhooks_waiting", "peyk_webhook_attempts_allowed"]);
  gauges.stop();
  folder.remove();
  const byReason = (name: string) => (values.get(name) ?? []).map(({ labels, value }) => `${labels.reason} ${value}`);
  const none = ["first 0", "steady 0", "slow 0", "refused 0", "no_answer 0"];
  expect(byReason("peyk_webhooks_waiting").sort()).toEqual([...none, "prompt 2", "throttled 1"].sort());
  expect(byReason("peyk_webhook_attempts_allowed").sort()).toEqual([...none, "prompt 39", "throttled 1"].sort());
});

test("every metric that conditions watch is served with the labels they use", async () => {
  const folder = temporaryFolder();
  const metrics = createMetrics({ className: String, classNames: [], routeName: () => "a" });
  const gauges = registerServiceGauges(metrics.registry, {
    ...bareSources(folder.path),
    oldestDue: () => [{ class: "otp", oldestDueAt: now - 20_000 }],
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
});
