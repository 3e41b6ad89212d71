/** Counts what the service does, for Prometheus; the name of every counter and histogram stands here. */
import { Registry } from "prom-client";
import { FastCounter, FastHistogram } from "./fast-metrics.ts";

/** From a fast disk's fsync to a request that waited for a slow one. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const groupBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const msPerSecond = 1_000;

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsDeps {
  /** `otp`, `single`, `bulk`. */
  className(value: number): string;
  routeName(id: number): string;
}

export function createMetrics({ className, routeName }: MetricsDeps) {
  const registry = new Registry();
  const instruments = instrumentsOf(registry);
  return {
    registry,
    commits: commitMetrics(instruments),
    accepted: acceptanceMetrics(instruments, className),
    dispatch: dispatchMetrics(instruments, routeName),
    countInbound: inboundMetrics(instruments, routeName),
    requests: requestMetrics(instruments),
    callbacks: callbackMetrics(instruments),
    backup: backupMetrics(instruments),
    /** Asked for where customers come in by SMPP: otherwise nothing of it is shown. */
    smppServer: () => smppServerMetrics(instruments),
  };
}

type Instruments = ReturnType<typeof instrumentsOf>;

function instrumentsOf(registry: Registry) {
  return {
    counter: (name: string, help: string, labels: readonly string[] = []) =>
      new FastCounter(registry, { name: `peyk_${name}`, help, labels }),
    histogram: (name: string, help: string, buckets = durationBuckets, label?: string) =>
      new FastHistogram(registry, { name: `peyk_${name}`, help, buckets, ...(label !== undefined && { label }) }),
  };
}

function commitMetrics({ counter, histogram }: Instruments) {
  const time = histogram("commit_seconds", "Time of a transaction, fsync included.");
  const sharedWrites = histogram("commit_writes", "Writes that shared a transaction.", groupBuckets);
  const failures = counter(
    "commit_failures_total",
    "Transactions that the database could not write; refused requests are none.",
  );
  failures.add(0);
  return {
    committed(writes: number, durationMs: number, couldWrite: boolean): void {
      time.add(durationMs / msPerSecond);
      sharedWrites.add(writes);
      if (!couldWrite) failures.add(1);
    },
  };
}

function acceptanceMetrics({ counter }: Instruments, className: (value: number) => string) {
  const accepted = counter("messages_accepted_total", "Messages on disk and answered with 202.", ["class"]);
  const nameOf = remembered(className);
  return (messages: readonly { class: number }[]): void => {
    for (const message of messages) accepted.add(1, nameOf(message.class));
  };
}

function dispatchMetrics({ counter }: Instruments, routeName: (id: number) => string) {
  const submits = counter("submits_total", "Messages handed to a route, by what became of it.", ["route", "outcome"]);
  const parts = counter("submitted_parts_total", "Parts of those that the route accepted.", ["route"]);
  const receipts = counter("receipts_total", "Delivery receipts: what they said and what they led to.", [
    "route",
    "state",
    "effect",
  ]);
  return {
    submitted(route: { configuration: { name: string } }, outcome: { kind: string }, partCount: number): void {
      const { name } = route.configuration;
      submits.add(1, name, outcome.kind);
      if (outcome.kind === "accepted") parts.add(partCount, name);
    },
    receipt(routeId: number, state: string, effect: string): void {
      receipts.add(1, routeName(routeId), state, effect);
    },
  };
}

function inboundMetrics({ counter }: Instruments, routeName: (id: number) => string) {
  const parts = counter("inbound_parts_total", "Parts received from phones and stored.", ["route"]);
  /** The same event, counted once its content is stored. */
  return <Part>(routeId: number, { inbound }: { inbound(part: Part): Promise<void> }) => ({
    async inbound(part: Part): Promise<void> {
      await inbound(part);
      parts.add(1, routeName(routeId));
    },
  });
}

function requestMetrics({ counter, histogram }: Instruments) {
  const requests = counter("http_requests_total", "Answered requests of the public API.", ["operation", "status"]);
  const time = histogram("http_request_seconds", "Time to an answer.", durationBuckets, "operation");
  const nameOf = remembered(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
  return {
    answered(operation: { method: string; path: string }, status: number, durationMs: number): void {
      const name = nameOf(operation);
      requests.add(1, name, status);
      time.add(durationMs / msPerSecond, name);
    },
  };
}

function callbackMetrics({ counter, histogram }: Instruments) {
  const attempts = counter("callback_attempts_total", "Attempts to deliver a callback, by outcome.", ["outcome"]);
  const time = histogram("callback_attempt_seconds", "Time of an attempt.");
  const ended = counter("callbacks_ended_total", "Callbacks that need no further attempt.", ["state"]);
  return {
    attempted(outcome: string, durationMs: number): void {
      attempts.add(1, outcome);
      time.add(durationMs / msPerSecond);
    },
    ended: (state: string): void => ended.add(1, state),
  };
}

function smppServerMetrics({ counter }: Instruments) {
  const binds = counter("smpp_server_binds_total", "Binds of customers, by outcome.", ["outcome"]);
  const submits = counter("smpp_server_submits_total", "Submits of customers, by the status of their answer.", [
    "status",
  ]);
  const deliveries = counter(
    "smpp_server_deliveries_total",
    "Receipts and texts of phones that were sent to customers, by outcome.",
    ["kind", "outcome"],
  );
  const nameOf = remembered((status: number) => `0x${status.toString(16).padStart(8, "0")}`);
  return {
    bound: (isGood: boolean): void => binds.add(1, isGood ? "bound" : "refused"),
    submitted: (status: number): void => submits.add(1, nameOf(status)),
    delivered: (kind: "receipt" | "inbound", isAcknowledged: boolean): void =>
      deliveries.add(1, kind, isAcknowledged ? "acknowledged" : "failed"),
  };
}

function backupMetrics({ counter }: Instruments) {
  const backups = counter("backups_total", "Nightly backups, by outcome.", ["outcome"]);
  for (const outcome of ["done", "failed"]) backups.add(0, outcome);
  return (outcome: "done" | "failed"): void => backups.add(1, outcome);
}

/** The names are few and asked for with every request: a text that is there already costs no allocation. */
function remembered<Subject>(nameOf: (subject: Subject) => string): (subject: Subject) => string {
  const names = new Map<Subject, string>();
  return (subject) => {
    const known = names.get(subject);
    if (known !== undefined) return known;
    const name = nameOf(subject);
    names.set(subject, name);
    return name;
  };
}
