/** Prometheus itself evaluates each example rule: it fires just beyond its limit, and is silent at it. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWith } from "../support/wants.ts";

const rules = join(import.meta.dir, "../../docs/alerts.rules.yml");

/** Values per minute, in promtool's notation, by metric. */
type Series = Readonly<Record<string, string>>;

interface Case {
  silent: Series;
  fires: Series;
  says: string;
  /** When both are evaluated, in minutes: 100 unless it takes longer. */
  atMinute?: number;
  route?: string;
}

const always = (value: number) => `${value}x100`;
/** Grows by this much per minute. */
const growing = (step: number) => `0+${step}x100`;
const submits = (outcome: string) => `peyk_submits_total{route="a",outcome="${outcome}"}`;
const receipts = (effect: string) => `peyk_receipts_total{route="a",state="delivered",effect="${effect}"}`;
const attempts = (outcome: string) => `peyk_callback_attempts_total{outcome="${outcome}"}`;
/** A hundred events a minute, this many of them within a quarter of a second. */
const within = (name: string, fast: number): Series => ({
  [`${name}_bucket{le="0.25"}`]: growing(fast),
  [`${name}_bucket{le="0.5"}`]: growing(100),
  [`${name}_bucket{le="+Inf"}`]: growing(100),
});
const oldest = (name: string, seconds: number): Series => ({
  [`peyk_queue_oldest_seconds{class="${name}"}`]: always(seconds),
});
const dayMinutes = 24 * 60;

const cases: Readonly<Record<string, Case>> = {
  PeykDown: {
    silent: { 'up{job="peyk"}': always(1) },
    fires: { 'up{job="peyk"}': always(0) },
    says: "Peyk does not answer",
  },
  PeykDamaged: {
    silent: { peyk_database_damaged: always(0) },
    fires: { peyk_database_damaged: always(1) },
    says: "The database is damaged: see peyk status",
  },
  PeykHeld: {
    silent: {},
    fires: { peyk_queue_held_since_timestamp_seconds: always(60) },
    says: "Nothing is sent: a copy was restored at 1970-01-01 00:01:00 +0000 UTC",
  },
  PeykClockAhead: {
    silent: { peyk_clock_ahead_seconds: always(0) },
    fires: { peyk_clock_ahead_seconds: always(7200) },
    says: "The clock jumped ahead by 2h 0m 0s: nothing expires or is deleted, and no day or month of quotas and statements begins, until a time service agrees or a day has passed",
  },
  PeykBooksAhead: {
    silent: { peyk_books_ahead_seconds: always(3600) },
    fires: { peyk_books_ahead_seconds: always(3601) },
    says: "The books are ahead of the clock by 1h 0m 1s, since it was wrong: quotas and statements stay in the day and month that were reached until it comes round",
  },
  PeykClusterLogSilent: {
    silent: { peyk_cluster_silent_seconds: always(5) },
    fires: { peyk_cluster_silent_seconds: always(6) },
    says: "PostgreSQL has not answered for 6s: requests get 503, and nothing is sent",
  },
  PeykNodeAway: {
    silent: { 'peyk_cluster_node_unheard_seconds{node="b"}': always(60) },
    fires: { 'peyk_cluster_node_unheard_seconds{node="b"}': always(61) },
    says: "The node b was last heard of 1m 1s ago and could not take over",
  },
  PeykNodeBehind: {
    silent: { 'peyk_cluster_node_behind_entries{node="b"}': always(20_000) },
    fires: { 'peyk_cluster_node_behind_entries{node="b"}': always(20_001) },
    says: "The node b is 20001 entries behind: a take-over would take longer",
  },
  PeykNodeCannotWrite: {
    silent: { 'peyk_cluster_node_can_write{node="b"}': always(1) },
    fires: { 'peyk_cluster_node_can_write{node="b"}': always(0) },
    says: "The disk of the node b is nearly full or refuses writes: that node does not take over",
  },
  PeykNodesDiffer: {
    silent: { 'peyk_cluster_node_differing_pages{node="b"}': always(0) },
    fires: { 'peyk_cluster_node_differing_pages{node="b"}': always(1) },
    says: "The database file on b differs from this node's: that node does not take over",
  },
  PeykEngineUnprotected: {
    silent: { peyk_cluster_engine_protected: always(1) },
    fires: { peyk_cluster_engine_protected: always(0) },
    says: "PostgreSQL has no synchronous standby: what was acknowledged is lost with its machine",
  },
  PeykDiskFull: {
    silent: { peyk_disk_free_bytes: always(2 * 1024 ** 3) },
    fires: { peyk_disk_free_bytes: always(1024 ** 3) },
    says: "Only 1GiB are free for the data folder",
  },
  PeykWalGrows: {
    silent: { peyk_wal_bytes: always(512 * 1024 ** 2) },
    fires: { peyk_wal_bytes: always(1024 ** 3) },
    says: "The write-ahead log has 1GiB",
  },
  PeykWebhookSwitchedOff: {
    silent: { peyk_webhooks_switched_off: always(0) },
    fires: { peyk_webhooks_switched_off: always(2) },
    says: "Webhooks that were switched off, every callback having failed for five days: 2",
  },
  PeykDeliveriesNotTaken: {
    silent: { 'peyk_smpp_server_oldest_waiting_seconds{credential="cred_1"}': always(900) },
    fires: { 'peyk_smpp_server_oldest_waiting_seconds{credential="cred_1"}': always(901) },
    says: "No bind of cred_1 has acknowledged its receipts and texts: the oldest has been waiting for 15m 1s",
  },
  PeykRouteDown: {
    silent: { 'peyk_route_up{route="a",kind="smpp"}': always(0), 'peyk_route_used{route="a"}': always(0) },
    fires: { 'peyk_route_up{route="a",kind="smpp"}': always(0), 'peyk_route_used{route="a"}': always(1) },
    says: "Route a is down and its messages wait",
    route: "a",
  },
  PeykBackupOld: {
    silent: { peyk_last_backup_timestamp_seconds: `${dayMinutes * 60}x3000` },
    fires: { peyk_last_backup_timestamp_seconds: "0x3000" },
    says: "The newest nightly backup is 1d 13h 0m 0s old",
    atMinute: 37 * 60,
  },
  PeykFrequentBackupOld: {
    silent: {
      peyk_last_frequent_backup_timestamp_seconds: always(100 * 60 - 45 * 60),
      peyk_frequent_backup_interval_seconds: always(900),
    },
    fires: {
      peyk_last_frequent_backup_timestamp_seconds: always(100 * 60 - 46 * 60),
      peyk_frequent_backup_interval_seconds: always(900),
    },
    says: "The newest backup of every few minutes is 46m 0s old",
  },
  PeykBackupNotElsewhere: {
    silent: { peyk_last_shipped_backup_timestamp_seconds: `${60 * 60}x3000` },
    fires: { peyk_last_shipped_backup_timestamp_seconds: "0x3000" },
    says: "The newest backup on another machine is 1d 13h 0m 0s old",
    atMinute: 37 * 60,
  },
  PeykBackupTargetFails: {
    silent: { peyk_last_target_backup_timestamp_seconds: `${60 * 60}x3000` },
    fires: { peyk_last_target_backup_timestamp_seconds: "0x3000" },
    says: "The newest copy in the bucket is 1d 13h 0m 0s old",
    atMinute: 37 * 60,
  },
  PeykCertificateEnds: {
    silent: { peyk_certificate_end_timestamp_seconds: always(100 * 60 + 14 * 86_400) },
    fires: { peyk_certificate_end_timestamp_seconds: always(100 * 60 + 13 * 86_400) },
    says: "The certificate ends in 13d 0h 0m 0s",
  },
  PeykCannotStore: {
    silent: { peyk_commit_failures_total: always(3) },
    fires: { peyk_commit_failures_total: growing(1) },
    says: "Transactions were rolled back; requests were answered with 503",
  },
  PeykCommitsSlow: {
    silent: within("peyk_commit_seconds", 99),
    fires: within("peyk_commit_seconds", 98),
    says: "One commit in a hundred takes longer than 375ms",
  },
  PeykEventLoopSlow: {
    silent: within("peyk_event_loop_delay_seconds", 99),
    fires: within("peyk_event_loop_delay_seconds", 98),
    says: "The event loop comes late by 375ms",
  },
  PeykCallbacksFail: {
    silent: { [attempts("timeout")]: growing(1), [attempts("delivered")]: growing(1) },
    fires: { [attempts("timeout")]: growing(3), [attempts("delivered")]: growing(1) },
    says: "75% of callback attempts fail",
  },
  PeykOtpLate: {
    silent: oldest("otp", 15),
    fires: oldest("otp", 16),
    says: "A one-time password has been waiting for 16s",
  },
  PeykSingleLate: {
    silent: oldest("single", 60),
    fires: oldest("single", 61),
    says: "A single message has been waiting for 1m 1s",
  },
  PeykBulkLate: {
    silent: oldest("bulk", 3600),
    fires: oldest("bulk", 3601),
    says: "A bulk message has been waiting for 1h 0m 1s",
  },
  PeykRefusals: {
    silent: { [submits("rejected")]: growing(20), [submits("accepted")]: growing(80) },
    fires: { [submits("rejected")]: growing(25), [submits("accepted")]: growing(75) },
    says: "Route a refuses 25% of its messages",
    route: "a",
  },
  PeykThrottled: {
    silent: { [submits("throttled")]: growing(60) },
    fires: { [submits("throttled")]: growing(61) },
    says: 'Route a says "too fast"',
    route: "a",
  },
  PeykReceiptsMissing: {
    silent: { [submits("accepted")]: growing(60), [receipts("applied")]: growing(1) },
    fires: { [submits("accepted")]: growing(60), [receipts("applied")]: always(5) },
    says: "Route a takes messages and sends no receipts",
    route: "a",
  },
  PeykReceiptsOrphaned: {
    silent: { [receipts("orphaned")]: growing(30) },
    fires: { [receipts("orphaned")]: growing(31) },
    says: "Receipts of route a belong to no message",
    route: "a",
  },
};

interface Rule {
  alert: string;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
}

const written = (Bun.YAML.parse(readFileSync(rules, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

/** Labels that remain where no aggregation removes them. */
const labelsOf = (series: Series, name: string): Record<string, string> => {
  if (["PeykCannotStore", "PeykCommitsSlow", "PeykEventLoopSlow", "PeykCallbacksFail"].includes(name)) return {};
  const [first = ""] = Object.keys(series);
  const labels = Object.fromEntries(
    [...first.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const isSummed = /^Peyk(Refusals|Throttled|Receipts)/.test(name);
  return isSummed ? { route: labels.route ?? "" } : labels;
};

const filled = (text: string, labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).reduce((all, [name, value]) => all.replaceAll(`{{ $labels.${name} }}`, value), text);

function testsOf(rule: Rule, { silent, fires, says, route = "", atMinute = 100 }: Case) {
  const inputs = (series: Series) => Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const told = {
    exp_labels: { ...labelsOf(fires, rule.alert), severity: rule.labels.severity },
    exp_annotations: { summary: says, do: filled(rule.annotations.do ?? "", { route, credential: "cred_1" }) },
  };
  const one = (series: Series, alerts: readonly object[]) => ({
    interval: "1m",
    name: `${rule.alert} ${alerts.length === 0 ? "is silent" : "fires"}`,
    input_series: inputs(series),
    alert_rule_test: [{ eval_time: `${atMinute}m`, alertname: rule.alert, exp_alerts: alerts }],
  });
  return [one(silent, []), one(fires, [told])];
}

test("every example rule has a case in this test", () => {
  expect(written.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(cases).toSorted());
});

testWith("promtool")("each example rule fires once beyond its limit, and is silent at it", () => {
  const folder = mkdtempSync(join(tmpdir(), "peyk-rules-"));
  const tests = written.flatMap((rule) => {
    const one = cases[rule.alert];
    return one === undefined ? [] : testsOf(rule, one);
  });
  // JSON is also YAML.
  writeFileSync(join(folder, "tests.yml"), JSON.stringify({ rule_files: [rules], evaluation_interval: "5m", tests }));
  const run = Bun.spawnSync(["promtool", "test", "rules", join(folder, "tests.yml")]);
  rmSync(folder, { recursive: true });
  expect(run.stderr.toString() + run.stdout.toString()).toContain("SUCCESS");
  expect(run.exitCode).toBe(0);
});
