/** Gauges read when Prometheus scrapes: queue depths, routes, files, the process itself. */
import { readdirSync, statSync } from "node:fs";
import { widthReasons } from "../domain/attempt-width.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { processMemory } from "../platform/process-memory.ts";
import { FastHistogram } from "./fast-metrics.ts";
import { type GaugeRow, type Gauges, gaugesOf } from "./gauges.ts";
import { Counter, type Registry } from "./prom-client.ts";

export interface RouteGauges {
  name: string;
  kind: string;
  up: boolean;
  /** True if a message of an active sender may use it. */
  isUsed: boolean;
  /** Parts that may be unanswered at once, and those that are. */
  window: number;
  unanswered: number;
  links: readonly { name: string; state: string }[];
}

export interface GaugeSources {
  version: string;
  dataDir: string;
  /** Path of the database file. */
  databasePath: string;
  now(): number;
  queue(): readonly { class: string; waiting: number }[];
  /** The first due message of each class. It counts nothing, so it can be called often. */
  oldestDue(): readonly { class: string; oldestDueAt: number | null }[];
  routes(): readonly RouteGauges[];
  callbacksInFlight(): number;
  /** Of each webhook that something waits for. */
  webhookPaces(): readonly { attemptsAtOnce: number; reason: string }[];
  webhooksSwitchedOff(): number;
  /** Epoch milliseconds; null without TLS. */
  certificateEndsAt(): number | null;
  /** Time of the newest nightly backup, epoch milliseconds; null if there is none. */
  lastNightlyBackupAt(): number | null;
  /** Time of the newest frequent backup, epoch milliseconds; null if there is none. */
  lastFrequentBackupAt(): number | null;
  /** When the newest backup was shipped, epoch milliseconds; null if none ever was. */
  lastShippedAt(): number | null;
  /** When the newest backup in the bucket was made, epoch milliseconds; null if there is no bucket, 0 if none is in it. */
  lastTargetCopyAt(): number | null;
  /** Null if no frequent backups are made. */
  frequentIntervalMs(): number | null;
  isDamaged(): boolean;
  /** Epoch milliseconds; null if nothing is held. */
  heldSince(): number | null;
  clockAheadMs(): number;
  booksAheadMs(): number;
}

const delayBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const delayEveryMs = 100;

/** Adds the gauges to the registry and starts watching the event loop; `stop` ends that. */
export function registerServiceGauges(registry: Registry, sources: GaugeSources): { stop(): void } {
  const gauges = gaugesOf(registry);
  const { labelled, single, seconds } = gauges;
  labelled("peyk_info", "The version that runs.", ["version"], () => [[1, sources.version]]);
  labelled(
    "peyk_queue_messages",
    "Messages that wait, scheduled ones included; counted up to 10,000 a lane, 50,000 in all.",
    ["class"],
    () => sources.queue().map((depth) => [depth.waiting, depth.class]),
  );
  labelled(
    "peyk_queue_oldest_seconds",
    "How long the message that is due first has been due; 0 when none is.",
    ["class"],
    () => sources.oldestDue().map((oldest) => [lateness(oldest.oldestDueAt, sources.now()), oldest.class]),
  );
  registerRouteGauges(gauges, sources);
  single("peyk_callbacks_in_flight", "Callbacks under way.", sources.callbacksInFlight);
  registerWebhookGauges(gauges, sources);
  single("peyk_webhooks_switched_off", "Webhooks given up by the service.", sources.webhooksSwitchedOff);
  single("peyk_database_bytes", "Size of the database file.", () => sizeOf(sources.databasePath));
  single("peyk_wal_bytes", "Size of the write-ahead log.", () => sizeOf(`${sources.databasePath}-wal`));
  single("peyk_disk_free_bytes", "Free space on the data folder's file system.", () => freeBytes(sources.dataDir));
  seconds(
    "peyk_certificate_end_timestamp_seconds",
    "When the public listener's certificate ends.",
    sources.certificateEndsAt,
  );
  seconds(
    "peyk_last_backup_timestamp_seconds",
    "When the newest nightly backup was made.",
    sources.lastNightlyBackupAt,
  );
  seconds(
    "peyk_last_frequent_backup_timestamp_seconds",
    "When the newest backup of every few minutes was made.",
    sources.lastFrequentBackupAt,
  );
  seconds(
    "peyk_last_shipped_backup_timestamp_seconds",
    "When the newest backup that was brought elsewhere was made.",
    sources.lastShippedAt,
  );
  seconds(
    "peyk_last_target_backup_timestamp_seconds",
    "When the newest backup in the bucket was made.",
    sources.lastTargetCopyAt,
  );
  seconds(
    "peyk_frequent_backup_interval_seconds",
    "Time between two backups of every few minutes.",
    sources.frequentIntervalMs,
  );
  single("peyk_database_damaged", "1 once the database was found damaged.", () => Number(sources.isDamaged()));
  seconds(
    "peyk_queue_held_since_timestamp_seconds",
    "When the copy was restored that holds the queue.",
    sources.heldSince,
  );
  seconds("peyk_clock_ahead_seconds", "How far the clock jumped ahead; 0 while it is believed.", sources.clockAheadMs);
  seconds("peyk_books_ahead_seconds", "How far what was booked is ahead of the clock.", sources.booksAheadMs);
  watchProcess(registry, gauges);
  return watchEventLoop(registry);
}

/** By reason rather than by webhook: there may be thousands of them. */
function registerWebhookGauges({ labelled }: Gauges, { webhookPaces }: Pick<GaugeSources, "webhookPaces">): void {
  const byReason = (figure: (pace: { attemptsAtOnce: number }) => number) => (): GaugeRow[] => {
    const sums = new Map(widthReasons.map((reason) => [reason, 0]));
    for (const pace of webhookPaces()) sums.set(pace.reason, (sums.get(pace.reason) ?? 0) + figure(pace));
    return [...sums].map(([reason, sum]) => [sum, reason]);
  };
  labelled(
    "peyk_webhooks_waiting",
    "Webhooks that something waits for, by why they have as many attempts at once as they have.",
    ["reason"],
    byReason(() => 1),
  );
  labelled(
    "peyk_webhook_attempts_allowed",
    "Attempts at once that these webhooks may have together, by the same reason.",
    ["reason"],
    byReason(({ attemptsAtOnce }) => attemptsAtOnce),
  );
}

function registerRouteGauges({ labelled }: Gauges, sources: Pick<GaugeSources, "routes">): void {
  labelled("peyk_route_up", "1 when the route takes messages.", ["route", "kind"], () =>
    sources.routes().map((route) => [Number(route.up), route.name, route.kind]),
  );
  labelled("peyk_route_used", "1 when a message of an active sender may take the route.", ["route"], () =>
    sources.routes().map((route) => [Number(route.isUsed), route.name]),
  );
  labelled("peyk_route_window_parts", "Parts that may be unanswered at once.", ["route"], () =>
    sources.routes().map((route) => [route.window, route.name]),
  );
  labelled("peyk_route_unanswered_parts", "Parts that were submitted and are not answered.", ["route"], () =>
    sources.routes().map((route) => [route.unanswered, route.name]),
  );
  labelled("peyk_bind_state", "1 for the state that each bind or endpoint is in.", ["route", "bind", "state"], () =>
    sources.routes().flatMap(({ name, links }) => links.map((link): GaugeRow => [1, name, link.name, link.state])),
  );
}

function watchProcess(registry: Registry, { single }: Gauges): void {
  const startedAt = Date.now() / 1_000 - process.uptime();
  single("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  single(
    "peyk_memory_anonymous_bytes",
    "Resident memory of the process's own.",
    () => processMemory()?.anonymousBytes ?? null,
  );
  single(
    "peyk_memory_file_bytes",
    "Resident pages of files, most of them the executable's: the kernel drops them where it needs room.",
    () => processMemory()?.fileBytes ?? null,
  );
  single("process_start_time_seconds", "When the process started.", () => startedAt);
  single("process_open_fds", "Open file descriptors.", () => readdirSync("/proc/self/fd").length);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Time on processors.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
}

/** A timer's delay shows how long everything else waits. */
function watchEventLoop(registry: Registry): { stop(): void } {
  const delay = new FastHistogram(registry, {
    name: "peyk_event_loop_delay_seconds",
    help: "How late a timer of 100 ms comes.",
    buckets: delayBuckets,
  });
  let expectedAt = performance.now() + delayEveryMs;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.add(Math.max(0, now - expectedAt) / 1_000);
    expectedAt = now + delayEveryMs;
  }, delayEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function lateness(dueAt: number | null, now: number): number {
  return dueAt === null ? 0 : Math.max(0, now - dueAt) / 1_000;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
