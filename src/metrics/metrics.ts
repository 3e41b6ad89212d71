/** What the appliance counts while it works, for Prometheus; every name in one place. Its shapes are those of the rooms' observers. */
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
  const tally = (name: string, help: string, labels: readonly string[] = []) =>
    new FastCounter(registry, { name: `peyk_${name}`, help, labels });
  const spread = (name: string, help: string, buckets = durationBuckets, label?: string) =>
    new FastHistogram(registry, { name: `peyk_${name}`, help, buckets, ...(label !== undefined && { label }) });

  const accepted = tally("messages_accepted_total", "Messages on disk and answered with 202.", ["class"]);
  const submits = tally("submits_total", "Messages handed to a route, by what became of it.", ["route", "outcome"]);
  const parts = tally("submitted_parts_total", "Parts of those that the route accepted.", ["route"]);
  const receipts = tally("receipts_total", "Delivery receipts: what they said and what they led to.", [
    "route",
    "state",
    "effect",
  ]);
  const inboundParts = tally("inbound_parts_total", "Parts received from phones and stored.", ["route"]);
  const commitTime = spread("commit_seconds", "Time of a transaction, fsync included.");
  const commitWrites = spread("commit_writes", "Writes that shared a transaction.", groupBuckets);
  const commitFailures = tally("commit_failures_total", "Transactions that were rolled back.");
  const requests = tally("http_requests_total", "Answered requests of the public API.", ["operation", "status"]);
  const requestTime = spread("http_request_seconds", "Time to an answer.", durationBuckets, "operation");
  const callbacks = tally("callback_attempts_total", "Attempts to deliver a callback, by outcome.", ["outcome"]);
  const callbackTime = spread("callback_attempt_seconds", "Time of an attempt.");
  const callbackEnds = tally("callbacks_ended_total", "Callbacks that need no further attempt.", ["state"]);
  const backups = tally("backups_total", "Nightly backups, by outcome.", ["outcome"]);
  commitFailures.add(0);
  for (const outcome of ["done", "failed"]) backups.add(0, outcome);

  const operations = new WeakMap<object, string>();
  function operationName(operation: { method: string; path: string }): string {
    const known = operations.get(operation);
    if (known !== undefined) return known;
    const name = `${operation.method} ${operation.path}`;
    operations.set(operation, name);
    return name;
  }

  const classes = new Map<number, string>();
  function classOf({ class: value }: { class: number }): string {
    const known = classes.get(value) ?? className(value);
    classes.set(value, known);
    return known;
  }

  return {
    registry,

    commits: {
      committed(writes: number, durationMs: number, stands: boolean): void {
        commitTime.add(durationMs / msPerSecond);
        commitWrites.add(writes);
        if (!stands) commitFailures.add(1);
      },
    },

    dispatch: {
      submitted(route: { configuration: { name: string } }, outcome: { kind: string }, partCount: number): void {
        const { name } = route.configuration;
        submits.add(1, name, outcome.kind);
        if (outcome.kind === "accepted") parts.add(partCount, name);
      },
      receipt(routeId: number, state: string, effect: string): void {
        receipts.add(1, routeName(routeId), state, effect);
      },
    },

    requests: {
      answered(operation: { method: string; path: string }, status: number, durationMs: number): void {
        const name = operationName(operation);
        requests.add(1, name, status);
        requestTime.add(durationMs / msPerSecond, name);
      },
    },

    callbacks: {
      attempted(outcome: string, durationMs: number): void {
        callbacks.add(1, outcome);
        callbackTime.add(durationMs / msPerSecond);
      },
      ended: (state: string): void => callbackEnds.add(1, state),
    },

    accepted(messages: readonly { class: number }[]): void {
      for (const message of messages) accepted.add(1, classOf(message));
    },

    /** The same event, counted once what it brought is stored. */
    countInbound: <Part>(routeId: number, { inbound }: { inbound(part: Part): Promise<void> }) => ({
      async inbound(part: Part): Promise<void> {
        await inbound(part);
        inboundParts.add(1, routeName(routeId));
      },
    }),

    backup: (outcome: "done" | "failed"): void => backups.add(1, outcome),
  };
}
