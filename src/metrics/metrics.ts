/** Counts what the service does, for Prometheus; every counter and histogram is named here. */

import { onFirstUse } from "../platform/on-first-use.ts";
import { FastCounter, FastHistogram } from "./fast-metrics.ts";
import { Registry } from "./prom-client.ts";

/** From a fast disk's fsync to a request that waited for a slow one. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** From a lane without a queue to a network that reports after a day. */
const messageBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 172_800];
const groupBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const msPerSecond = 1_000;

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsDeps {
  /** `otp`, `single`, `bulk`. */
  className(value: number): string;
  classNames: readonly string[];
  routeName(id: number): string;
}

export function createMetrics(deps: MetricsDeps) {
  const registry = new Registry();
  const instruments = instrumentsOf(registry);
  const { known: knownToDispatch, ...dispatch } = dispatchMetrics(instruments, deps);
  const { known: knownToEnd, reached } = outcomeMetrics(instruments, deps);
  const { known: knownToInbound, ...inbound } = inboundMetrics(instruments, deps);
  return {
    registry,
    commits: commitMetrics(instruments),
    accepted: acceptanceMetrics(instruments, deps),
    dispatch,
    /** Called with the messages that a commit moved to another public status. */
    reached,
    countInbound: inbound.count,
    /** Shows the counters of these routes from 0: a rate needs the value before the first event. */
    knowRoutes(names: readonly string[]): void {
      for (const know of [knownToDispatch, knownToEnd, knownToInbound]) names.forEach(know);
    },
    requests: requestMetrics(instruments),
    callbacks: callbackMetrics(instruments),
    backup: backupMetrics(instruments),
    /** Only called if customers connect by SMPP: otherwise these metrics are not shown. */
    smppServer: () => smppServerMetrics(instruments),
    /** Likewise for the drop-in listener, and for mail. */
    dropIn: onFirstUse(() => dropInMetrics(instruments)),
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

function acceptanceMetrics({ counter }: Instruments, { className, classNames }: MetricsDeps) {
  const accepted = counter("messages_accepted_total", "Messages on disk and answered with 202.", ["class"]);
  for (const name of classNames) accepted.add(0, name);
  const nameOf = remembered(className);
  return (messages: readonly { class: number }[]): void => {
    for (const message of messages) accepted.add(1, nameOf(message.class));
  };
}

const submitOutcomes = ["accepted", "rejected", "temporary", "throttled", "not_sent", "uncertain"];
const receiptStates = ["delivered", "failed", "pending"];
const receiptEffects = ["applied", "repeated", "orphaned"];

function dispatchMetrics({ counter }: Instruments, { routeName }: MetricsDeps) {
  const submits = counter("submits_total", "Messages handed to a route, by what became of it.", ["route", "outcome"]);
  const parts = counter("submitted_parts_total", "Parts of those that the route accepted.", ["route"]);
  const receipts = counter("receipts_total", "Delivery receipts: what they said and what they led to.", [
    "route",
    "state",
    "effect",
  ]);
  return {
    known(route: string): void {
      for (const outcome of submitOutcomes) submits.add(0, route, outcome);
      parts.add(0, route);
      for (const state of receiptStates) for (const effect of receiptEffects) receipts.add(0, route, state, effect);
    },
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

/** A message in its new public status; times are epoch milliseconds. */
interface ReachedMessage {
  class: number;
  state: string;
  routeId: number | null;
  submittedAt: number;
  sendAt: number | null;
  sentAt: number | null;
  finalAt: number | null;
}

/** The label of a message that no route ever took. */
const noRoute = "";

function outcomeMetrics({ counter, histogram }: Instruments, { className, classNames, routeName }: MetricsDeps) {
  const ended = counter(
    "messages_ended_total",
    "Messages that reached a final status; those that ended before any route took them have none.",
    ["status", "route"],
  );
  const handedOver = histogram(
    "message_handover_seconds",
    "From the time for which a message was asked for until a carrier took it.",
    messageBuckets,
    "class",
  );
  const received = histogram(
    "message_receipt_seconds",
    "From the same time until the receipt that ended the message.",
    messageBuckets,
    "class",
  );
  for (const name of classNames) for (const time of [handedOver, received]) time.open(name);
  for (const status of ["failed", "cancelled"]) ended.add(0, status, noRoute);
  const nameOf = remembered(className);
  return {
    known(route: string): void {
      for (const status of ["delivered", "failed"]) ended.add(0, status, route);
    },
    reached(messages: readonly ReachedMessage[]): void {
      for (const message of messages) {
        const { state, routeId, sentAt, finalAt } = message;
        // As in reports: a message scheduled for tomorrow did not take a day.
        const dueAt = message.sendAt ?? message.submittedAt;
        if (state === "submitted") handedOver.add(secondsBetween(dueAt, sentAt), nameOf(message.class));
        if (finalAt === null) continue;
        ended.add(1, state, routeId === null ? noRoute : routeName(routeId));
        if (sentAt !== null) received.add(secondsBetween(dueAt, finalAt), nameOf(message.class));
      }
    },
  };
}

/** The wall clock may have been set back in between. */
const secondsBetween = (from: number, to: number | null) => Math.max((to ?? from) - from, 0) / msPerSecond;

function inboundMetrics({ counter }: Instruments, { routeName }: MetricsDeps) {
  const parts = counter("inbound_parts_total", "Parts received from phones and stored.", ["route"]);
  return {
    known: (route: string): void => parts.add(0, route),
    /** Counts the same event once its content is stored. */
    count: <Part>(routeId: number, { inbound }: { inbound(part: Part): Promise<void> }) => ({
      async inbound(part: Part): Promise<void> {
        await inbound(part);
        parts.add(1, routeName(routeId));
      },
    }),
  };
}

function requestMetrics({ counter, histogram }: Instruments) {
  const requests = counter("http_requests_total", "Answered requests of the public API.", ["operation", "status"]);
  const time = histogram("http_request_seconds", "Time to an answer.", durationBuckets, "operation");
  const nameOf = remembered(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
  return {
    /** An operation that is served, and its status on success. */
    known(operation: { method: string; path: string }, status: number): void {
      const name = nameOf(operation);
      requests.add(0, name, status);
      time.open(name);
    },
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
  for (const state of ["delivered", "failed"]) ended.add(0, state);
  return {
    known: (outcome: string): void => attempts.add(0, outcome),
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
  for (const outcome of ["bound", "refused"]) binds.add(0, outcome);
  submits.add(0, nameOf(0));
  for (const kind of ["receipt", "inbound"])
    for (const outcome of ["acknowledged", "failed"]) deliveries.add(0, kind, outcome);
  return {
    bound: (isGood: boolean): void => binds.add(1, isGood ? "bound" : "refused"),
    submitted: (status: number): void => submits.add(1, nameOf(status)),
    delivered: (kind: "receipt" | "inbound", isAcknowledged: boolean): void =>
      deliveries.add(1, kind, isAcknowledged ? "acknowledged" : "failed"),
  };
}

function dropInMetrics({ counter, histogram }: Instruments) {
  const requests = counter(
    "drop_in_requests_total",
    "Answered requests of the drop-in listener, and mails: accepted, asked, signed in wrongly, or why they were refused.",
    ["route", "outcome"],
  );
  const time = histogram("drop_in_request_seconds", "Time to an answer.", durationBuckets, "route");
  return {
    served(route: string, outcome: string, durationMs: number): void {
      requests.add(1, route, outcome);
      time.add(durationMs / msPerSecond, route);
    },
  };
}

function backupMetrics({ counter }: Instruments) {
  const backups = counter("backups_total", "Nightly backups, by outcome.", ["outcome"]);
  for (const outcome of ["done", "failed"]) backups.add(0, outcome);
  return (outcome: "done" | "failed"): void => backups.add(1, outcome);
}

/** There are few names, needed at every request: an existing string costs no allocation. */
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
