/**
 * A server without listeners for tests: acceptance, dispatch, simulator routes and receipts, on a real file and the
 * test's clock.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClaimRules } from "../../src/dispatch/claim-rules.ts";
import { Dispatcher } from "../../src/dispatch/dispatcher.ts";
import { type RouteConfiguration, RouteSet } from "../../src/dispatch/route-set.ts";
import { routeStorage } from "../../src/dispatch/route-storage.ts";
import { messageClasses, type PublicStatus } from "../../src/domain/message.ts";
import { historyOf, publicStatusOf } from "../../src/domain/status.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { type Acceptance, Acceptor, type Draft } from "../../src/messaging/messages/accept.ts";
import { type Canceller, canceller } from "../../src/messaging/messages/cancel.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { openRoutingPlans, type RoutingPlans } from "../../src/messaging/routing/routing-plans.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { Sealer } from "../../src/platform/seal.ts";
import type { Provider, ProviderEvents, RouteStorage } from "../../src/providers/provider.ts";
import { parseSimulatorOptions, SimulatorProvider } from "../../src/providers/simulator.ts";
import type { ReachedObserver } from "../../src/store/reached-statuses.ts";
import type { Store } from "../../src/store/store.ts";
import { callerAt } from "./caller.ts";
import { ManualClock } from "./manual-clock.ts";
import { openMigratedStore } from "./migrated-store.ts";
import { noClaimRules, noTrafficRules } from "./no-rules.ts";

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "peyk-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type BuildProvider = (
  configuration: RouteConfiguration,
  events: ProviderEvents,
  clock: ManualClock,
  storage: RouteStorage,
) => Provider;

const simulator: BuildProvider = (_, events, clock) => {
  const parsed = parseSimulatorOptions({});
  if ("problems" in parsed) throw new Error("The simulator's defaults must pass their own check");
  return new SimulatorProvider(parsed.options, events, { clock });
};

export interface TestServerOptions {
  folder?: string;
  clock?: ManualClock;
  /** Receives the messages with a new status after each commit. */
  reached?: ReachedObserver;
  build?: BuildProvider;
  routes?: readonly Partial<RouteConfiguration>[];
  validityMs?: number;
  /** Replaces the directory's: the routes of a sender's target. */
  routesOf?: (senderId: number, targetId: number) => readonly number[];
  /** None by default. */
  rules?: TrafficRules;
  /** Uses networks and routing plans instead. */
  isPlanned?: true;
  /** None by default. */
  claimRules?: (directory: Directory) => ClaimRules;
  /** See DispatcherDeps; always by default. */
  mayExpire?: () => boolean;
  /** The key for sealed texts; without it they are handed over as stored. */
  sealer?: Sealer;
}

export interface TestServer {
  clock: ManualClock;
  store: Store;
  directory: Directory;
  routingPlans: RoutingPlans;
  dispatch: Dispatcher;
  routes: RouteSet;
  acceptor: Acceptor;
  canceller: Canceller;
  folder: string;
  configurations: RouteConfiguration[];
  /** Accounts 1 and 2 have the senders `30001` and `30002`. */
  send(draft?: Partial<Draft> & { account?: number; key?: string }): Promise<string>;
  sendAll(drafts: readonly Partial<Draft>[], account?: number): Promise<Acceptance>;
  statusOf(trackingCode: string): PublicStatus;
  historyOf(trackingCode: string): PublicStatus[];
  start(): Promise<void>;
  /** Closes the store in the state that a crash would leave: nothing is waited for. */
  crash(): void;
  stop(): Promise<void>;
}

export const senderOf = (account: number): string => `3000${account}`;

async function seed(store: Store, now: number, routeCount: number): Promise<void> {
  await store.write((tables) => {
    if (tables.accounts.all().length > 0) return;
    for (let index = 1; index <= routeCount; index += 1) {
      const row = {
        name: `route-${index}`,
        kind: "simulator" as const,
        enabled: true,
        options: "{}",
        sealedSecrets: null,
      };
      tables.routes.insert({ ...row, createdAt: now, updatedAt: now, removedAt: null });
    }
    const routeIds = Array.from({ length: routeCount }, (_, index) => index + 1);
    for (const account of [1, 2]) {
      tables.accounts.insert({ name: `Account ${account}`, status: "active", defaultSender: null, createdAt: now });
      const sender = { accountId: account, sender: senderOf(account), active: true, createdAt: now, removedAt: null };
      tables.senders.insert({ ...sender, routeIds });
    }
  });
}

export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = options.clock ?? new ManualClock();
  const folder = options.folder ?? temporaryFolder().path;
  const configurations = (options.routes ?? [{}]).map(
    (one, index): RouteConfiguration => ({
      id: index + 1,
      name: `route-${index + 1}`,
      enabled: true,
      isDraining: false,
      failover: null,
      ...defaultUncertainPolicy,
      revision: "1",
      ...one,
    }),
  );
  const store = openMigratedStore({ folder, now: clock.now(), ...(options.reached && { reached: options.reached }) });
  await seed(store, clock.now(), configurations.length);
  const directory = new Directory(store.tables, clock);
  const deps = { store, clock, random: systemRandom, log: silentLog, directory };
  const routingPlans = openRoutingPlans(deps);
  const { plans } = routingPlans;
  const { routesOf = (senderId: number, targetId: number) => plans.routesOf(senderId, targetId) } = options;
  const planned = new TrafficRules([routingPlans.rules.network, routingPlans.rules.plan], []);
  const dispatch = new Dispatcher({
    ...deps,
    directory: {
      accountOf: (senderId) => directory.accountOf(senderId),
      isSuspended: (accountId) => directory.isSuspended(accountId),
      routesOf,
    },
    observer: { submitted: () => {}, receipt: () => {} },
    mayExpire: options.mayExpire ?? (() => true),
    rules: options.claimRules?.(directory) ?? noClaimRules,
    openText: (message) => (options.sealer === undefined ? message.text : otpTexts(options.sealer).open(message)),
  });
  const routes = new RouteSet({
    clock,
    log: silentLog,
    buildToTry: () => ({ probe: () => Promise.resolve([]) }),
    build: (configuration, events) =>
      (options.build ?? simulator)(configuration, events, clock, routeStorage(store, configuration.id)),
    events: (routeId) => ({ ...dispatch.events(routeId), inbound: () => Promise.resolve() }),
    changed: dispatch.changed,
    stopGraceMs: 0,
  });
  const accept = new Acceptor({
    store,
    trackingCodes: trackingCodes(clock, systemRandom),
    directory,
    validityMs: options.validityMs ?? 48 * 3_600_000,
    mismatch: "replay",
    accepted: dispatch.accepted,
    mismatched: () => {},
    rules: options.rules ?? (options.isPlanned ? planned : noTrafficRules),
  });
  let keys = 0;

  async function sendAll(drafts: readonly Partial<Draft>[], account = 1, key?: string): Promise<Acceptance> {
    keys += 1;
    const request = {
      key: key ?? `key-${clock.now()}-${keys}`,
      operation: "POST /v1/messages",
      payloadHash: new Uint8Array(32),
    };
    const whole = drafts.map(
      (draft): Draft => ({
        sender: senderOf(account),
        recipient: "+989120000010",
        text: "سلام",
        clientReference: null,
        class: messageClasses.single,
        sendAt: null,
        ...draft,
      }),
    );
    return accept.accept(callerAt(clock.now(), account), request, whole);
  }

  function row(trackingCode: string) {
    const message = store.tables.messages.byCodeAnywhere(trackingCode);
    if (message === null) throw new Error(`There is no message ${trackingCode}`);
    return message;
  }

  return {
    clock,
    store,
    directory,
    routingPlans,
    dispatch,
    routes,
    acceptor: accept,
    canceller: canceller(store, clock),
    folder,
    configurations,
    async send({ account = 1, key, ...draft } = {}) {
      const { results } = await sendAll([draft], account, key);
      const code = results[0]?.trackingCode;
      if (code === undefined) throw new Error("Nothing was accepted");
      return code;
    },
    sendAll,
    statusOf: (trackingCode) => publicStatusOf(row(trackingCode).state),
    historyOf: (trackingCode) => historyOf(row(trackingCode)).map(({ status }) => status),
    async start() {
      routes.apply(configurations);
      await dispatch.start(routes);
    },
    crash() {
      void dispatch.hold();
      store.close();
    },
    async stop() {
      await dispatch.hold();
      const settled = routes.stop().then(() => dispatch.settled());
      // The answers to the last handovers arrive on the test's clock.
      await clock.advance(1_000);
      await settled;
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
