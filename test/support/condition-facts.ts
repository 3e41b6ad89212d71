/** The facts that conditions evaluate, for a service without problems. */
import type { WatchedFacts } from "../../src/conditions/condition.ts";
import { MetricSamples } from "../../src/conditions/metric-samples.ts";

export const wellAt = (now: number, change: Partial<WatchedFacts> = {}): WatchedFacts => ({
  now,
  damage: () => null,
  heldSince: () => null,
  clockAheadMs: () => null,
  booksAheadMs: () => 0,
  routesDown: () => [],
  receiptsUnmatched: () => [],
  freeBytes: () => 1024 ** 4,
  walBytes: () => 0,
  nightlyAt: () => null,
  frequentAt: () => null,
  frequentIntervalMs: () => null,
  shippedAt: () => null,
  target: () => null,
  certificateEndsAt: () => null,
  webhooksSwitchedOff: () => 0,
  portedProblem: () => null,
  cluster: () => null,
  notTaken: () => [],
  guesses: () => [],
  samples: new MetricSamples(),
  figures: () => Promise.resolve([]),
  routeName: () => null,
  accountName: () => null,
  quotas: () => [],
  balances: () => [],
  ...change,
});
