/** Everything that sends, on a real clock and a real file, without a listener: for benches of the core. */

import { defaultSettings } from "../../src/config/settings.ts";
import { Dispatcher } from "../../src/dispatch/dispatcher.ts";
import { RouteSet } from "../../src/dispatch/route-set.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { openGroups } from "../../src/messaging/groups/groups.ts";
import { Acceptor } from "../../src/messaging/messages/accept.ts";
import { openOtp } from "../../src/messaging/otp/otp.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { openPatterns } from "../../src/messaging/patterns/patterns.ts";
import { openRoutingPlans, type RoutingPlansOptions } from "../../src/messaging/routing/routing-plans.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { deriveHashKey } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Submission } from "../../src/providers/provider.ts";
import { SimulatorProvider } from "../../src/providers/simulator.ts";
import { openStore } from "../../src/store/store.ts";
import { noClaimRules, noTrafficRules } from "../support/no-rules.ts";
import { temporaryFolder } from "../support/test-server.ts";

export interface SendingCoreOptions {
  membersMax: number;
  /** Null: no route is started, and everything waits. */
  partsPerSecond: number | null;
  submitted?(submission: Submission): void;
  /** Weights by which a routing plan shares the messages of account 1; the route is the same for all. */
  weights?: readonly number[];
}

export type SendingCore = Awaited<ReturnType<typeof startSendingCore>>;

/** Accounts 1 and 2 with the senders `30001` and `30002` on one simulator route. */
export async function startSendingCore({ membersMax, partsPerSecond, submitted, weights = [] }: SendingCoreOptions) {
  const folder = temporaryFolder();
  const clock = systemClock;
  const store = openStore({ folder: folder.path, now: clock.now() });
  await store.write((tables) => {
    const times = { createdAt: 0, updatedAt: 0, removedAt: null };
    const route = { name: "simulator", kind: "simulator" as const, enabled: true, options: "{}", sealedSecrets: null };
    tables.routes.insert({ ...route, ...times });
    tables.routes.insert({ ...route, name: "spare", enabled: false, ...times });
    for (const accountId of [1, 2]) {
      tables.accounts.insert({ name: `Account ${accountId}`, status: "active", defaultSender: null, createdAt: 0 });
      const sender = { accountId, sender: `3000${accountId}`, active: true, createdAt: 0, removedAt: null };
      tables.senders.insert({ ...sender, routeIds: [1] });
    }
  });
  const directory = new Directory(store.tables, clock);
  const plans = weights.length === 0 ? null : await sharingPlan({ store, directory, clock }, weights);
  const key = new Uint8Array(32).fill(1);
  const texts = otpTexts(createSealer(key));
  const core = { store, clock, random: systemRandom, log: silentLog, directory };
  const dispatch: Dispatcher = new Dispatcher({
    ...core,
    directory: {
      accountOf: (senderId) => directory.accountOf(senderId),
      isSuspended: (accountId) => directory.isSuspended(accountId),
      routesOf: (senderId, targetId) => (plans?.plans ?? directory).routesOf(senderId, targetId),
    },
    observer: { submitted: () => {}, receipt: () => {} },
    openText: texts.open,
    mayExpire: () => true,
    rules: noClaimRules,
  });
  const routes = new RouteSet({
    clock,
    log: silentLog,
    buildToTry: () => ({ probe: () => Promise.resolve([]) }),
    build(_, events) {
      const provider = new SimulatorProvider({ delayMs: 50, partsPerSecond, window: 1_000 }, events, { clock });
      const submit = provider.submit.bind(provider);
      provider.submit = (submission) => {
        submitted?.(submission);
        return submit(submission);
      };
      return provider;
    },
    events: (routeId) => ({ ...dispatch.events(routeId), inbound: () => Promise.resolve() }),
    changed: dispatch.changed,
    stopGraceMs: 0,
  });
  const accept = new Acceptor({
    ...core,
    trackingCodes: trackingCodes(clock, systemRandom),
    directory,
    validityMs: 48 * 3_600_000,
    mismatch: "replay",
    accepted: dispatch.accepted,
    mismatched: () => {},
    rules: plans === null ? noTrafficRules : new TrafficRules([plans.rules.network, plans.rules.plan], []),
  });
  const defaults = defaultSettings();
  const sending = { ...core, acceptor: accept, accepted: dispatch.accepted };
  const groups = openGroups({
    ...sending,
    defaultRegion: defaults.defaultRegion,
    numbers: defaults.messages,
    countries: { of: () => null },
    membersMax,
  });
  const patterns = openPatterns(sending);
  const otp = openOtp({
    ...sending,
    patterns: patterns.sender,
    bookingClock: { moment: () => ({ at: core.clock.now(), bookedAt: core.clock.now() }) },
    mayExpire: () => true,
    texts,
    hashKey: (purpose) => deriveHashKey(key, purpose),
    settings: defaults.otp,
  });
  if (partsPerSecond !== null) {
    routes.apply([
      {
        id: 1,
        name: "simulator",
        enabled: true,
        isDraining: false,
        failover: null,
        ...defaultUncertainPolicy,
        revision: "1",
      },
    ]);
    await dispatch.start(routes);
  }
  return {
    groups: groups.service,
    groupSender: groups.sender,
    otp: otp.service,
    settled: groups.settled,
    store,
    acceptor: accept,
    async stop() {
      await groups.stop();
      await dispatch.hold();
      await routes.stop();
      await dispatch.settled();
      store.close();
      folder.remove();
    },
  };
}

async function sharingPlan(options: RoutingPlansOptions, weights: readonly number[]) {
  const plans = openRoutingPlans(options);
  await plans.service.create("shared");
  const anything = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };
  const spares = ["spare"];
  const targets = weights.map((weight, index) => ({ routes: ["simulator", ...spares.slice(0, index)], weight }));
  await plans.service.addRule("shared", { ...anything, targets });
  await senderService(options).update(1, "30001", { plan: "shared" });
  return plans;
}

/** A file of members with distinct names, in pieces as a socket would deliver it. */
export async function* membersFile(count: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode("mobile,firstName,lastName\n");
  for (let first = 0; first < count; first += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => `0912${String(1_000_000 + first + index)},علی,کریمی`);
    yield encoder.encode(`${lines.join("\n")}\n`);
  }
}

export const silentImport = {
  progress: () => {},
  problem: (line: number, { message }: { message: string }) => {
    throw new Error(`line ${line}: ${message}`);
  },
  repeated: () => {},
};
