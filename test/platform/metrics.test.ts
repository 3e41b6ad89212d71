import { describe, expect, test } from "bun:test";
import { Registry } from "prom-client";
import { FastCounter, FastHistogram } from "../../src/metrics/fast-metrics.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";

describe("a counter", () => {
  test("counts by its labels, and does not show what was never counted", async () => {
    const registry = new Registry();
    const tally = new FastCounter(registry, { name: "t_total", help: "h", labels: ["route", "state", "effect"] });
    tally.add(1, "a", "delivered", "applied");
    tally.add(2, "a", "delivered", "applied");
    tally.add(1, "a", "failed", "applied");
    tally.add(1, "b", "delivered", "orphaned");
    const text = await registry.metrics();
    expect(text).toContain('t_total{route="a",state="delivered",effect="applied"} 3');
    expect(text).toContain('t_total{route="a",state="failed",effect="applied"} 1');
    expect(text).toContain('t_total{route="b",state="delivered",effect="orphaned"} 1');
    expect(text.split("\n").filter((line) => line.startsWith("t_total"))).toHaveLength(3);
    expect(await registry.metrics()).toBe(text);
  });

  test("keeps labels with quotes and line feeds apart, written as Prometheus reads them", async () => {
    const registry = new Registry();
    const tally = new FastCounter(registry, { name: "t_total", help: "h", labels: ["route"] });
    tally.add(1, 'a"b\n');
    expect(await registry.metrics()).toContain('t_total{route="a\\"b\\n"} 1');
  });
});

describe("a histogram", () => {
  test("puts a value equal to a bound into that bucket, and one above all into +Inf alone", async () => {
    const registry = new Registry();
    const spread = new FastHistogram(registry, { name: "s", help: "h", label: "op", buckets: [1, 2] });
    for (const value of [0, 1, 1.5, 2, 2.000001]) spread.add(value, "x");
    const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("s"));
    expect(lines).toEqual([
      's_bucket{op="x",le="1"} 2',
      's_bucket{op="x",le="2"} 4',
      's_bucket{op="x",le="+Inf"} 5',
      's_sum{op="x"} 6.500001',
      's_count{op="x"} 5',
    ]);
  });
});

test("what happens to a message is counted with the names of its class and route", async () => {
  const metrics = createMetrics({
    className: (value) => ["otp", "single", "bulk"][value] ?? "?",
    classNames: ["otp", "single", "bulk"],
    routeName: (id) => `route-${id}`,
  });
  metrics.accepted([{ class: 0 }, { class: 2 }, { class: 2 }]);
  metrics.dispatch.submitted({ configuration: { name: "smsc" } }, { kind: "accepted" }, 3);
  metrics.dispatch.submitted({ configuration: { name: "smsc" } }, { kind: "rejected" }, 1);
  metrics.dispatch.receipt(7, "delivered", "applied");
  metrics.commits.committed(12, 4, true);
  metrics.commits.committed(1, 4, false);
  metrics.callbacks.attempted("timeout", 10_000);
  metrics.callbacks.ended("failed");
  const operation = { method: "POST", path: "/v1/messages" };
  for (const status of [202, 202, 400]) metrics.requests.answered(operation, status, 3);
  const text = await metrics.registry.metrics();
  for (const line of [
    'peyk_messages_accepted_total{class="otp"} 1',
    'peyk_messages_accepted_total{class="bulk"} 2',
    'peyk_submits_total{route="smsc",outcome="accepted"} 1',
    'peyk_submits_total{route="smsc",outcome="rejected"} 1',
    'peyk_submitted_parts_total{route="smsc"} 3',
    'peyk_receipts_total{route="route-7",state="delivered",effect="applied"} 1',
    'peyk_commit_seconds_bucket{le="0.0025"} 0',
    'peyk_commit_seconds_bucket{le="0.005"} 2',
    'peyk_commit_writes_bucket{le="20"} 2',
    "peyk_commit_failures_total 1",
    'peyk_callback_attempts_total{outcome="timeout"} 1',
    'peyk_callbacks_ended_total{state="failed"} 1',
    'peyk_http_requests_total{operation="POST /v1/messages",status="202"} 2',
    'peyk_http_request_seconds_count{operation="POST /v1/messages"} 3',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

describe("outcomes and durations of messages", () => {
  const at = 1_000_000;
  const sent = {
    class: 1,
    state: "submitted",
    routeId: 1,
    submittedAt: at,
    sendAt: null,
    sentAt: at + 40,
    finalAt: null,
  };
  const lines = async (told: Parameters<ReturnType<typeof createMetrics>["reached"]>[0]) => {
    const metrics = createMetrics({ className: () => "single", classNames: ["single"], routeName: (id) => `r${id}` });
    metrics.knowRoutes(["r1"]);
    metrics.reached(told);
    return (await metrics.registry.metrics()).split("\n").filter((line) => /^peyk_message(s_ended|_)/.test(line));
  };

  test("are counted by status and route from 0 on, and without a route if none accepted the message", async () => {
    const ended = { ...sent, finalAt: at + 90 };
    const counts = await lines([
      sent,
      { ...ended, state: "delivered" },
      { ...ended, state: "failed" },
      { ...ended, state: "failed", routeId: 2 },
    ]);
    expect(counts.filter((line) => line.startsWith("peyk_messages_ended"))).toEqual([
      'peyk_messages_ended_total{status="failed",route=""} 0',
      'peyk_messages_ended_total{status="cancelled",route=""} 0',
      'peyk_messages_ended_total{status="delivered",route="r1"} 1',
      'peyk_messages_ended_total{status="failed",route="r1"} 1',
      'peyk_messages_ended_total{status="failed",route="r2"} 1',
    ]);
    expect(counts).toContain('peyk_message_handover_seconds_sum{class="single"} 0.04');
    expect(counts).toContain('peyk_message_receipt_seconds_bucket{class="single",le="0.05"} 0');
    expect(counts).toContain('peyk_message_receipt_seconds_bucket{class="single",le="0.1"} 3');
  });

  test("start at a message's scheduled time, and are 0 if the clock was set back", async () => {
    const scheduled = { ...sent, submittedAt: at - 86_400_000, sendAt: at };
    expect(await lines([scheduled])).toContain('peyk_message_handover_seconds_sum{class="single"} 0.04');
    expect(await lines([{ ...sent, sentAt: at - 5 }])).toContain('peyk_message_handover_seconds_sum{class="single"} 0');
  });
});
