/** Every condition is found beyond its limit but not at it, and all views show the same ones. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alertConditions } from "../../src/alerts/alert-conditions.ts";
import { Alerts } from "../../src/alerts/alerts.ts";
import { doctorConditions } from "../../src/cli/doctor-service.ts";
import type { ClusterFacts, View, WatchedFacts } from "../../src/conditions/condition.ts";
import { views } from "../../src/conditions/condition.ts";
import {
  type ConditionCode,
  conditionCodes,
  conditionTraits,
  findCondition,
  isPresent,
  type PresentCode,
} from "../../src/conditions/conditions.ts";
import { MetricSamples, type Sample } from "../../src/conditions/metric-samples.ts";
import { attentionOf } from "../../src/operator/attention.ts";
import type { OperatorDeps } from "../../src/operator/deps.ts";
import { conditionFacts } from "../../src/operator/standing.ts";
import { statusAnswer } from "../../src/operator/status.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { wellAt } from "../support/condition-facts.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

const unmatched = { id: 1, providerId: "x", state: "delivered", receivedAt: 0, errorCode: null, detail: "" } as const;
const firingAlert = { severity: "page", since: 0, firingSince: 0, toldAt: null, clearSince: null } as const;
const withoutMatches = (state: ReturnType<OperatorDeps["running"]["state"]>) =>
  state === null ? null : { ...state, receiptsMatched: 0 };

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const gib = 1024 ** 3;
const now = Date.UTC(2026, 0, 5, 12);

type Change = Partial<WatchedFacts>;
type Counts = Readonly<Record<string, number>>;

/** The metrics after half an hour, or less. */
function sampled(name: string, samples: readonly Sample[], lastedMs = 30 * minuteMs): Change {
  const taken = new MetricSamples();
  taken.add(0, new Map());
  taken.add(lastedMs, new Map([[name, samples]]));
  return { samples: taken };
}
const counted = (name: string, counts: Counts, label: string, lastedMs?: number) =>
  sampled(
    name,
    Object.entries(counts).map(([key, value]) => ({ value, labels: { route: "a", [label]: key } })),
    lastedMs,
  );
const submits = (counts: Counts, lastedMs = 10 * minuteMs) =>
  counted("peyk_submits_total", counts, "outcome", lastedMs);
const attempts = (counts: Counts) => counted("peyk_callback_attempts_total", counts, "outcome");
const late = (messageClass: string, seconds: number) =>
  sampled("peyk_queue_oldest_seconds", [{ value: seconds, labels: { class: messageClass } }]);
/** How many of a hundred take less than a quarter of a second. */
const taken = (name: string, fast: number) =>
  sampled(name, [
    { value: fast, labels: { le: 0.25 } },
    { value: 100, labels: { le: 0.5 } },
    { value: 100, labels: { le: "+Inf" } },
  ]);
const row = {
  period: "",
  startsAt: 0,
  parts: 0,
  errors: {},
  deliveryMedianMs: null,
  deliveryP95Ms: null,
  deliveryTimes: [],
};
/** What was sent recently, and in the week before. */
const figures = (recent: number, delivered: number, before: number): Change => ({
  figures: ({ from, to }) => {
    const isRecent = to - from < dayMs;
    const messages = isRecent ? recent : before;
    const statuses = { delivered: isRecent ? delivered : before };
    return Promise.resolve([{ ...row, routeId: 1, accountId: 1, messages, statuses }]);
  },
  routeName: () => "a",
  accountName: () => "Clinic",
});
const notTaken = (ageMs: number): Change => ({
  notTaken: () => [{ credential: "cred_1", name: "mybank", oldestAt: now - ageMs }],
});
const guessed = { of: "cred_1 (clinic)", isNetwork: false, since: now, guesses: 100, others: 3 };
const balance = (available: number): Change => ({
  balances: () => [{ account: "acc_1", name: "Clinic", available, spent: 100 }],
});
const following = {
  node: "b",
  unheardMs: 0,
  behind: 0,
  canWrite: true,
  differs: null,
  copiedMsAgo: null,
  shippedMsAgo: null,
};
const well = { silentMs: 0, followers: [following], isSynchronous: true, hasFsync: true };
const cluster = (change: Partial<ClusterFacts>) => ({ cluster: () => ({ ...well, ...change }) });
const follower = (change: Partial<ClusterFacts["followers"][number]>) =>
  cluster({ followers: [{ ...following, ...change }] });
const route = (isNeeded: boolean): Change => ({ routesDown: () => [{ route: "a", isNeeded }] });
const frequent = (ageMs: number): Change => ({
  frequentIntervalMs: () => 15 * minuteMs,
  frequentAt: () => now - ageMs,
  shippedAt: () => now - ageMs,
});

const bucket = (ageMs: number, failure: string | null = null): Change => ({
  target: () => ({ copiedAt: now - ageMs, begunAt: null, failure }),
});

/** Silent at the limit, found beyond it. */
const edges: Readonly<Record<ConditionCode, readonly [silent: Change, found: Change]>> = {
  PortedNumbersUnusable: [{}, { portedProblem: () => "missing" }],
  Damaged: [{}, { damage: () => ({ reason: "malformed", copy: null }) }],
  Held: [{}, { heldSince: () => 0 }],
  ClockAhead: [{}, { clockAheadMs: () => 2 * hourMs }],
  BooksAhead: [{ booksAheadMs: () => hourMs }, { booksAheadMs: () => hourMs + 1 }],
  DiskFull: [{ freeBytes: () => 2 * gib }, { freeBytes: () => 2 * gib - 1 }],
  WalGrows: [{ walBytes: () => gib / 2 }, { walBytes: () => gib / 2 + 1 }],
  WebhookSwitchedOff: [{}, { webhooksSwitchedOff: () => 1 }],
  DeliveriesNotTaken: [notTaken(15 * minuteMs), notTaken(15 * minuteMs + 1)],
  PasswordsGuessed: [{}, { guesses: () => [guessed] }],
  RouteDown: [route(false), route(true)],
  ReceiptsUnmatched: [
    { receiptsUnmatched: (ageMsMin) => (ageMsMin < minuteMs ? [{ route: "a", count: 1 }] : []) },
    { receiptsUnmatched: (ageMsMin) => (ageMsMin <= minuteMs ? [{ route: "a", count: 1 }] : []) },
  ],
  BackupOld: [{ nightlyAt: () => now - 36 * hourMs }, { nightlyAt: () => now - 36 * hourMs - 1 }],
  FrequentBackupOld: [frequent(45 * minuteMs), frequent(45 * minuteMs + 1)],
  BackupNotElsewhere: [frequent(45 * minuteMs), frequent(45 * minuteMs + 1)],
  BackupTargetFails: [bucket(36 * hourMs), bucket(36 * hourMs + 1)],
  CertificateEnds: [{ certificateEndsAt: () => now + 14 * dayMs }, { certificateEndsAt: () => now + 14 * dayMs - 1 }],
  ClusterLogSilent: [cluster({ silentMs: 5_000 }), cluster({ silentMs: 5_001 })],
  NodeAway: [follower({ unheardMs: minuteMs }), follower({ unheardMs: minuteMs + 1 })],
  NodeBehind: [follower({ behind: 20_000 }), follower({ behind: 20_001 })],
  NodeCannotWrite: [follower({ canWrite: null }), follower({ canWrite: false })],
  NodesDiffer: [follower({ differs: null }), follower({ differs: { pages: [7], wrong: "own" } })],
  EngineUnprotected: [cluster({}), cluster({ hasFsync: false })],
  CannotStore: [
    sampled("peyk_commit_failures_total", [{ value: 0, labels: {} }]),
    sampled("peyk_commit_failures_total", [{ value: 1, labels: {} }]),
  ],
  CommitsSlow: [taken("peyk_commit_seconds_bucket", 99), taken("peyk_commit_seconds_bucket", 98)],
  EventLoopSlow: [taken("peyk_event_loop_delay_seconds_bucket", 99), taken("peyk_event_loop_delay_seconds_bucket", 98)],
  CallbacksFail: [attempts({ timeout: 10, delivered: 10 }), attempts({ timeout: 10, delivered: 9 })],
  OtpLate: [late("otp", 15), late("otp", 15.1)],
  SingleLate: [late("single", 60), late("single", 60.1)],
  BulkLate: [late("bulk", 3_600), late("bulk", 3_600.1)],
  Refusals: [submits({ rejected: 20, accepted: 80 }), submits({ rejected: 21, accepted: 79 })],
  Throttled: [submits({ throttled: 600 }), submits({ throttled: 601 })],
  ReceiptsMissing: [submits({ accepted: 180 }, 30 * minuteMs), submits({ accepted: 181 }, 30 * minuteMs)],
  ReceiptsOrphaned: [
    counted("peyk_receipts_total", { orphaned: 900 }, "effect"),
    counted("peyk_receipts_total", { orphaned: 901 }, "effect"),
  ],
  QuotaNearlyUsed: [{}, { quotas: () => [{ of: "acc_1", period: "day", partsUsed: 80, partsMax: 100 }] }],
  BalanceLow: [balance(100), balance(99)],
  DeliveryRateFell: [figures(50, 35, 500), figures(50, 34, 500)],
  TrafficJumped: [figures(1_000, 0, 200), figures(1_000, 0, 199)],
};

describe("a condition", () => {
  for (const code of conditionCodes) {
    test(`${code} is found beyond its limit and not at it`, async () => {
      const [silent, found] = edges[code];
      expect(await findCondition(code, wellAt(now, silent))).toEqual([]);
      expect(await findCondition(code, wellAt(now, found))).toMatchObject([{ code }]);
    });
  }

  test("on a share or a rate is not found for a handful of messages", async () => {
    const few: [ConditionCode, Change][] = [
      ["Refusals", submits({ rejected: 9 })],
      ["CallbacksFail", attempts({ timeout: 9 })],
      ["DeliveryRateFell", figures(49, 0, 500)],
      ["DeliveryRateFell", figures(50, 0, 499)],
      ["TrafficJumped", figures(999, 0, 0)],
    ];
    for (const [code, change] of few) expect(await findCondition(code, wellAt(now, change))).toEqual([]);
  });

  test("on remote copies is found if none ever arrived, and after 36 hours for nightly ones", async () => {
    const never = await findCondition("BackupNotElsewhere", wellAt(now, { shippedAt: () => 0 }));
    expect(never).toMatchObject([{ words: "The newest backup on another machine was never made" }]);
    const nightly = (ageMs: number) => wellAt(now, { shippedAt: () => now - ageMs });
    expect(await findCondition("BackupNotElsewhere", nightly(36 * hourMs))).toEqual([]);
    expect(await findCondition("BackupNotElsewhere", nightly(36 * hourMs + 1))).toHaveLength(1);
  });

  test("on the bucket says since when, and why; also of one that never got a copy, and of an upload that lasts", async () => {
    const words = async (change: Change) =>
      (await findCondition("BackupTargetFails", wellAt(now, change))).map((found) => found.words);
    expect(await words(bucket(0, "It is full."))).toEqual(["The newest copy in the bucket is 0 ms old: It is full"]);
    expect(await words(bucket(5 * hourMs, "It is full."))).toEqual([
      "The newest copy in the bucket is 5 h old: It is full",
    ]);
    const first = (begunAt: number, failure: string | null): Change => ({
      target: () => ({ copiedAt: null, begunAt, failure }),
    });
    expect(await words(first(now, "It is full."))).toEqual(["No copy is in the bucket yet: It is full"]);
    expect(await words({ ...first(now - 46 * minuteMs, null), frequentIntervalMs: () => 15 * minuteMs })).toEqual([
      "No copy is in the bucket yet",
    ]);
  });
});

describe("alerts, status, first page and doctor", () => {
  let server: OperatorServer;
  beforeEach(async () => {
    server = await createOperatorServer();
  });
  afterEach(() => server.close());

  /** Makes a running service find each of the conditions that it evaluates on request. */
  const causes: Readonly<Record<PresentCode, () => Partial<OperatorDeps> | Promise<Partial<OperatorDeps>>>> = {
    PortedNumbersUnusable: async () => {
      await server.store.write(({ networks }) =>
        networks.setPorted({ sum: "0".repeat(64), numbers: 1, importedAt: 1 }),
      );
      await server.routingPlans.ported.open(silentLog);
      return {};
    },
    Damaged: () => ({ damage: { ...server.damage, damage: () => ({ reason: "malformed", copy: null }) } }),
    Held: () => ({ sending: { heldSince: () => 0, countCallbacks: () => 0, release: () => Promise.resolve(true) } }),
    ClockAhead: () => ({ wallClock: { ...server.wallClock, doubt: () => ({ aheadMs: dayMs, forMs: 0 }) } }),
    BooksAhead: () => ({ bookingClock: Object.assign(server.bookingClock, { aheadMs: () => dayMs }) }),
    DiskFull: () => ({ facts: { ...server.facts, dataDir: "/proc" } }),
    WalGrows: () => {
      const dataDir = join(server.folder, "large");
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, "peyk.db-wal"), "");
      truncateSync(join(dataDir, "peyk.db-wal"), gib);
      return { facts: { ...server.facts, dataDir } };
    },
    WebhookSwitchedOff: () => ({ webhooks: Object.assign(server.webhooks, { countSwitchedOff: () => 1 }) }),
    DeliveriesNotTaken: async () => {
      await server.accounts.create("Clinic");
      const key = { name: "smpp", permissions: [], requestsPerMinute: null, expiresAt: null };
      await server.keys.create(1, key);
      await server.call("POST", "/credentials", { key: "key_1", kind: "smpp", name: "mybank", traffic: "bulk" });
      const receipt = { credentialId: 1, submitId: 1, state: 2, errorCode: null, endedAt: 0, createdAt: 0 };
      await server.store.write((tables) => tables.credentialDeliveries.addReceipt(receipt));
      return {};
    },
    PasswordsGuessed: () => ({ credentials: { ...server.credentials, guesses: () => [guessed] } }),
    ReceiptsUnmatched: () => ({
      messages: { ...server.messages, unmatchedReceipts: () => [unmatched] },
      running: { ...server.running, state: (id) => withoutMatches(server.running.state(id)) },
    }),
    RouteDown: async () => {
      await server.call("POST", "/routes", { name: "far", kind: "simulator", options: {} });
      await server.accounts.create("Clinic");
      await server.senders.add(1, "30001", true, ["far"]);
      await server.carriers.get("far")?.stop();
      return {};
    },
    BackupOld: () => backups({ nightlyAt: () => 1 }),
    FrequentBackupOld: () => backups({ frequentAt: () => 1, intervalMs: () => minuteMs }),
    BackupNotElsewhere: () => backups({ shipping: () => ({ madeAt: 1, failure: null, ported: null }) }),
    BackupTargetFails: () => {
      const told = { copies: {}, lacks: [], upload: null, place: "", isRunning: false };
      return backups({ target: () => ({ ...told, failure: "It is full." }) });
    },
    CertificateEnds: () => ({ certificateEndsAt: () => 1 }),
    ClusterLogSilent: () => cluster({ silentMs: minuteMs }),
    NodeAway: () => cluster({ followers: [] }),
    NodeBehind: () => follower({ behind: 50_000 }),
    NodeCannotWrite: () => follower({ canWrite: false }),
    NodesDiffer: () => follower({ differs: { pages: [7], wrong: "unknown" } }),
    EngineUnprotected: () => cluster({ isSynchronous: false }),
  };
  const backups = (change: Partial<OperatorDeps["backups"]>) => ({ backups: { ...server.backups, ...change } });

  /** The conditions that each view shows. */
  async function shown(deps: OperatorDeps): Promise<Record<View, string[]>> {
    const alerts = new Alerts({
      ...server,
      log: silentLog,
      random: systemRandom,
      conditions: alertConditions,
      channels: () => [],
      facts: () => ({ ...wellAt(server.clock.now()), ...conditionFacts({ ...deps, dataDir: deps.facts.dataDir }) }),
      readMetrics: () => Promise.resolve(new Map()),
    });
    await alerts.look();
    const status = await statusAnswer(deps);
    const attention = attentionOf(deps, new Map());
    return {
      alert: [...alerts.all(), ...deps.alerts.firing()].map(({ condition }) => condition),
      status: status.conditions.map(({ code }) => code),
      now: attention.map((need) => (need.kind === "condition" ? need.code : nameOf(need.kind))),
      doctor: doctorConditions(status).map(({ code }) => code),
    };
  }
  const nameOf = (kind: string) => (kind === "routeDown" ? "RouteDown" : kind);

  const seenBy = (code: ConditionCode, seen: Record<View, string[]>) =>
    views.filter((view) => seen[view].includes(code));
  function wanted(code: ConditionCode): View[] {
    const { notIn, check } = conditionTraits(code);
    return views.filter((view) => notIn[view] === undefined && !(view === "doctor" && check !== null));
  }

  for (const code of conditionCodes.filter(isPresent)) {
    test(`agree about ${code}, except where its entry gives a reason`, async () => {
      expect(seenBy(code, await shown(server))).toEqual([]);
      expect(seenBy(code, await shown({ ...server, ...(await causes[code]()) }))).toEqual(wanted(code));
    });
  }

  test("agree about the conditions that alerts watch, except where an entry gives a reason", async () => {
    for (const code of conditionCodes.filter((one) => !isPresent(one))) {
      const [found] = await findCondition(code, wellAt(now, edges[code][1]));
      if (found === undefined) throw new Error(`${code} is not found`);
      const firing = { ...firingAlert, condition: code, ...found };
      Object.assign(server.alerts, { firing: () => [firing] });
      expect(seenBy(code, await shown(server))).toEqual(wanted(code));
    }
  });
});
