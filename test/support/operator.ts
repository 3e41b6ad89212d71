/** The operator API for tests, with real dependencies: a store on disk, running simulator routes, the Unix socket. */

import { join } from "node:path";
import { Alerts } from "../../src/alerts/alerts.ts";
import { AlertReceivers } from "../../src/alerts/receivers.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { RouteSet } from "../../src/dispatch/route-set.ts";
import type { ReadinessChecks } from "../../src/domain/readiness.ts";
import { keywordReader } from "../../src/domain/suppression.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { type Inbound, openInbound } from "../../src/inbound/inbound.ts";
import { openBilling } from "../../src/messaging/billing/billing.ts";
import { Campaigns } from "../../src/messaging/campaigns/campaigns.ts";
import { accountService, keyService } from "../../src/messaging/directory/account-service.ts";
import { AccountTimeZones } from "../../src/messaging/directory/account-time-zones.ts";
import { CredentialDirectory } from "../../src/messaging/directory/credential-directory.ts";
import { CredentialService } from "../../src/messaging/directory/credential-service.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import type { Guesses } from "../../src/messaging/directory/guess-counts.ts";
import { RouteService } from "../../src/messaging/directory/route-service.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { SendingCountries } from "../../src/messaging/directory/sending-countries.ts";
import { openGroups } from "../../src/messaging/groups/groups.ts";
import { InboundMails } from "../../src/messaging/inbound-rules/inbound-mails.ts";
import { InboundRuleEngine } from "../../src/messaging/inbound-rules/inbound-rules.ts";
import { RuleService } from "../../src/messaging/inbound-rules/rule-service.ts";
import { Acceptor } from "../../src/messaging/messages/accept.ts";
import { AutomaticMessages } from "../../src/messaging/messages/automatic-messages.ts";
import { Explainer } from "../../src/messaging/messages/explain.ts";
import { messageService } from "../../src/messaging/messages/message-service.ts";
import { OperatorCanceller } from "../../src/messaging/messages/operator-cancel.ts";
import { laneDepths } from "../../src/messaging/messages/queue-depth.ts";
import { Resender } from "../../src/messaging/messages/resend.ts";
import { TextSender } from "../../src/messaging/messages/text-sender.ts";
import { WaitingCanceller } from "../../src/messaging/messages/waiting-canceller.ts";
import { type Otp, openOtp } from "../../src/messaging/otp/otp.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { openPatterns } from "../../src/messaging/patterns/patterns.ts";
import { ErasureList } from "../../src/messaging/privacy/erasure-list.ts";
import { PrivacyService } from "../../src/messaging/privacy/privacy-service.ts";
import { openQuotas } from "../../src/messaging/quotas/quotas.ts";
import { RefusedRequests } from "../../src/messaging/refusals/refused-requests.ts";
import { NumberLookups } from "../../src/messaging/routing/number-lookups.ts";
import { openRoutingPlans } from "../../src/messaging/routing/routing-plans.ts";
import { ClaimChecks } from "../../src/messaging/rules/claim-checks.ts";
import { AccountQuietHours } from "../../src/messaging/rules/quiet-hours.ts";
import { SandboxRule } from "../../src/messaging/rules/sandbox.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { SuppressionService } from "../../src/messaging/suppression/suppression-service.ts";
import { operatorApi } from "../../src/operator/api.ts";
import { AuditTrail } from "../../src/operator/audit-trail.ts";
import type { OperatorCaller } from "../../src/operator/caller.ts";
import type { OperatorDeps } from "../../src/operator/deps.ts";
import { LiveFigures } from "../../src/operator/live-figures.ts";
import { OperationPerformer } from "../../src/operator/perform.ts";
import { serveSocket } from "../../src/operator/socket.ts";
import { BackupCopies } from "../../src/platform/backup-copies.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { newestBackup, rotatingBackup } from "../../src/platform/rotating-backup.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { readShipping } from "../../src/platform/shipping.ts";
import { openNumberLookup } from "../../src/providers/http/number-lookup.ts";
import { routeKinds } from "../../src/providers/route-kinds.ts";
import { RouteTraces } from "../../src/providers/route-trace.ts";
import { SimulatorProvider } from "../../src/providers/simulator.ts";
import { ReadThread } from "../../src/reports/read-thread.ts";
import { Reports } from "../../src/reports/reports.ts";
import { Sending } from "../../src/server/sending.ts";
import { ProviderUsers } from "../../src/users/provider-users.ts";
import { SessionEnds } from "../../src/users/session-ends.ts";
import { UserService } from "../../src/users/user-service.ts";
import { UserTokenService } from "../../src/users/user-token-service.ts";
import { openWebhooks } from "../../src/webhooks/webhooks.ts";
import { believedBy } from "./booking.ts";
import { wellAt } from "./condition-facts.ts";
import { ManualClock } from "./manual-clock.ts";
import { openMigratedStore } from "./migrated-store.ts";
import { noProvider } from "./no-provider.ts";
import { openPasskeys } from "./passkeys.ts";
import { quickHasher } from "./quick-hasher.ts";
import { runFromSources } from "./run-from-sources.ts";
import { temporaryFolder } from "./test-server.ts";

/** SMPP route files are really parsed, but simulators run in their place, so that no peer is needed. */
const kinds = { simulator: routeKinds.simulator, smpp: routeKinds.smpp };

export type OperatorServer = Awaited<ReturnType<typeof createOperatorServer>>;

/** Created as the server does it, by commands run from the sources. */
function backupCopiesIn(dataDir: string, clock: Pick<ManualClock, "now">): BackupCopies {
  const now = () => clock.now();
  const requested = rotatingBackup({
    dataDir,
    prefix: "requested",
    title: "requested backup",
    keep: 5,
    now,
    log: silentLog,
    copy: (file) => runFromSources(["backup", "create", file, "--data-dir", dataDir]),
    ended: () => {},
  });
  return new BackupCopies({ dataDir, now, log: silentLog, requested, run: runFromSources });
}

export async function createOperatorServer(folder = temporaryFolder()) {
  const clock = new ManualClock();
  const store = openMigratedStore({ folder: folder.path, now: clock.now() });
  const directory = new Directory(store.tables, clock);
  const readiness: ReadinessChecks = { store: true, schedulers: true, routes: true };
  const carriers = new Map<string, SimulatorProvider>();
  const set = new RouteSet({
    clock,
    log: silentLog,
    buildToTry: () => ({ probe: () => Promise.resolve([]) }),
    build({ name }, events) {
      const carrier = new SimulatorProvider({ delayMs: 1, partsPerSecond: null, window: 10 }, events, { clock });
      carriers.set(name, carrier);
      return carrier;
    },
    events: () => ({ receipt: () => Promise.resolve(), inbound: () => Promise.resolve(), lateAnswer: () => {} }),
    changed: () => {},
    stopGraceMs: 0,
  });
  const applyRoutes = () =>
    set.apply(
      directory.routes().map(({ id, name, enabled, drainingSince }) => ({
        id,
        name,
        enabled,
        isDraining: drainingSince !== null,
        failover: null,
        ...defaultUncertainPolicy,
        revision: "1",
      })),
    );
  directory.subscribe({ routeChanged: applyRoutes });
  const sealer = createSealer(systemRandom.bytes(32));
  const common = { store, directory, clock, bookingClock: believedBy(clock), random: systemRandom };
  const routingPlans = openRoutingPlans(common);
  const lookups = new NumberLookups({
    ...{ ...common, log: silentLog, sealer, networks: routingPlans.networks },
    // Its services are real, and so are their waits.
    clock: { now: () => clock.now(), monotonic: systemClock.monotonic, after: systemClock.after },
    open: async (file) => openNumberLookup(file, { random: systemRandom, clock: systemClock }),
  });
  const routes = new RouteService({ ...common, sealer, kinds });
  await routes.ensureOne();
  const inbound = openInbound({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    trackingCodes: trackingCodes(clock, systemRandom),
    settings: { defaultRegion: "IR", reassemblyTimeoutMs: 600_000, retentionDays: 90 },
  });
  const hooks = openWebhooks({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    sealer,
    isSuspended: (accountId) => directory.isSuspended(accountId),
    observer: { attempted: () => {}, ended: () => {} },
    settings: { trustedDestinations: [], denyCidrs: [], caFile: null, eventRetentionDays: 30 },
  });
  const timeZones = new AccountTimeZones({ directory, timeZone: "Asia/Tehran" });
  const quotas = openQuotas({ ...common, log: silentLog, timeZones, calendar: "gregory" });
  const billing = openBilling({
    ...common,
    networks: routingPlans.networks,
    log: silentLog,
    timeZone: "Asia/Tehran",
    currency: "IRR",
  });
  const accept = new Acceptor({
    ...common,
    trackingCodes: trackingCodes(clock, systemRandom),
    directory,
    lookups,
    validityMs: 3_600_000,
    mismatch: "replay",
    accepted: () => {},
    mismatched: () => {},
    rules: new TrafficRules(
      [routingPlans.rules.network, new SandboxRule(directory), routingPlans.rules.plan, billing.rule],
      [quotas.guard, billing.guard],
    ),
  });
  const defaults = defaultSettings();
  const sending = { ...common, log: silentLog, acceptor: accept, accepted: () => {} };
  const countries = new SendingCountries({ directory, countries: [] });
  const groups = openGroups({
    ...sending,
    defaultRegion: "IR",
    numbers: defaults.messages,
    countries,
    membersMax: defaults.groups.membersMax,
  });
  const patterns = openPatterns(sending);
  const queued: number[] = [];
  const hashKey = systemRandom.bytes(32);
  const otp = openOtp({
    ...sending,
    patterns: patterns.sender,
    mayExpire: () => true,
    texts: otpTexts(sealer),
    hashKey: () => hashKey,
    settings: { ...defaults.otp, fraudGuard: true, rangePerHour: 2 },
  });
  const readThread = new ReadThread(store.path, systemClock);
  const quietHours = new AccountQuietHours({ directory, timeZones, settings: defaults.quietHours });
  const traces = new RouteTraces();
  const credentialHash = createKeyedHash(hashKey);
  const credentialDirectory = new CredentialDirectory({ tables: store.tables, directory, clock, hash: credentialHash });
  const credentials = {
    directory: credentialDirectory,
    service: new CredentialService({ store, credentials: credentialDirectory, hash: credentialHash, clock }),
    traces,
    isListening: false,
    uses: () => [],
    hours: { since: 0, of: () => [] },
    waiting: () => store.tables.credentialDeliveries.waiting(),
    guesses: (): Guesses[] => [],
    calls: () => [],
    seal: (plain: string) => Buffer.from(plain),
  };
  const reports = new Reports(readThread);
  const copies = backupCopiesIn(folder.path, clock);
  const recipientRules = (accountId: number) => ({
    defaultRegion: "IR",
    numbers: defaults.messages,
    countries: countries.of(accountId),
  });
  const mails = new InboundMails({ ...sending, send: null });
  const automatic = new AutomaticMessages(sending);
  const deps: OperatorDeps & { inbound: Inbound; otp: Otp } = {
    alerts: new Alerts({
      ...common,
      log: silentLog,
      conditions: [],
      channels: () => [{ name: "webhook", takes: () => true, send: () => Promise.resolve() }],
      facts: () => wellAt(clock.now()),
      readMetrics: () => Promise.resolve(new Map()),
    }),
    alertReceivers: new AlertReceivers({
      ...common,
      sealer,
      file: [],
      channelOf: ({ channel }) => ({ name: channel, takes: () => true, send: () => Promise.resolve() }),
    }),
    audit: new AuditTrail({ ...common, log: silentLog }),
    approvals: store.tables.approvals,
    senderRequests: store.tables.senderRequests,
    balanceWatches: store.tables.balanceWatches,
    store,
    portalMails: {
      isSet: false,
      count: () => {},
      invite: async () => false,
      confirm: async () => false,
      below: async () => false,
    },
    refusedRequests: new RefusedRequests(clock),
    userTokens: new UserTokenService({ ...common, ...noProvider }),
    providerUsers: new ProviderUsers({
      ...common,
      ends: new SessionEnds(store),
      sessions: { signInProven: async () => null },
      issuers: { console: null, portal: null },
    }),
    users: new UserService({ ...common, ...noProvider, hasher: quickHasher(), ends: new SessionEnds(store) }),
    passkeys: openPasskeys({ ...common, ends: new SessionEnds(store) }),
    directory,
    accounts: accountService(common),
    keys: keyService(common),
    senders: senderService(common),
    routes,
    routingPlans,
    lookups,
    operatorCanceller: new OperatorCanceller(common),
    waitingCanceller: new WaitingCanceller(common),
    campaigns: new Campaigns({ ...common, count: (id) => reports.campaign(id) }),
    resender: new Resender({
      ...sending,
      countries,
      accepted: (waiting) => void queued.push(...waiting.map(({ id }) => id)),
    }),
    textSender: new TextSender({ ...sending, acceptor: accept, stager: groups.stager, turns: groups.turns }),
    recipientRules,
    inboundRules: {
      service: new RuleService({ store, defaultRegion: "IR", recipientRules, mails }),
      engine: new InboundRuleEngine({
        ...sending,
        timeZones,
        recipientRules,
        repliesHourlyMax: 3,
        automatic,
        mails,
        groups: groups.changes,
      }),
      keywordOf: keywordReader(["STOP"], ["START"]),
    },
    explainer: new Explainer({
      ...sending,
      currency: "IRR",
      recipientRules,
      handover: new ClaimChecks({ directory, quietHours }),
      otpWaitMs: otp.service.waitMs,
      otpSteps: (accountId, pattern) => otp.service.plans.stepsFor(accountId, pattern),
    }),
    messages: messageService(store, directory),
    inbound,
    webhooks: hooks.deliveries,
    webhookService: hooks.service,
    webhookSecrets: hooks.secrets,
    groups: groups.service,
    patterns: patterns.service,
    otpGuard: otp.guard,
    otpPlans: otp.service.plans,
    quotas: quotas.service,
    quietHours,
    prices: billing.prices,
    balances: billing.balances,
    timeZones,
    privacy: new PrivacyService({
      ...sending,
      hash: createKeyedHash(hashKey),
      list: new ErasureList(folder.path),
      defaultRegion: "IR",
      numbers: defaults.messages,
      isListRead: groups.isListRead,
      phones: set,
    }),
    suppression: new SuppressionService({ ...sending, defaultRegion: "IR", numbers: defaults.messages }),
    damage: { damage: () => null, found: () => {} },
    bookingClock: common.bookingClock,
    wallClock: { doubt: () => null, confirm: () => Promise.resolve() },
    otp,
    backups: {
      newestAt: () => newestBackup(folder.path)?.madeAt ?? null,
      nightlyAt: () => null,
      frequentAt: () => newestBackup(folder.path)?.madeAt ?? null,
      intervalMs: () => null,
      shipping: () => readShipping(folder.path),
      target: () => null,
      copies,
    },
    settings: { ...defaults, dataDir: folder.path },
    settingsSource: { file: null, origins: new Map() },
    reports,
    refusals: (routeId, from) => store.tables.refusals.ofRoute(routeId, from),
    catchUp: { progress: () => ({ counted: 1, indexed: 1 }) },
    sending: new Sending(store, silentLog, () => Promise.resolve()),
    callbackUrls: () => null,
    running: {
      state: (routeId) => set.state(routeId),
      probe: (routeId, text) => set.probe(routeId, text),
      received: () => set.received(),
      tryFile: (kind, file) => set.tryFile(kind, file),
    },
    traces,
    credentials,
    random: systemRandom,
    lanes: () => laneDepths(store.tables.queue),
    cluster: () => null,
    certificateEndsAt: () => null,
    live: new LiveFigures({
      clock,
      log: silentLog,
      store,
      running: set,
      outcomes: () => store.tables.rollups.outcomes(),
      routeIds: () => directory.routes().map(({ id }) => id),
    }),
    hasMessages: () => store.tables.messages.hasAny(),
    reloadCertificate: () => ({ refused: null, served: null }),
    readiness: () => Promise.resolve(readiness),
    facts: {
      supportReadsTexts: true,
      version: "0.0.0-test",
      startedAt: clock.now(),
      dataDir: folder.path,
      listen: "127.0.0.1:1",
      consoleListen: "127.0.0.1:2",
      portalListen: null,
      dropInListen: null,
      smtpListen: [],
      consoleUrl: "http://127.0.0.1:2",
      portalUrl: null,
      defaultRegion: "IR",
      sandboxEnabled: false,
      currency: "IRR",
      calendar: "gregory",
    },
    clock,
    log: silentLog,
  };
  const performer = new OperationPerformer(deps);
  const app = operatorApi(deps, performer);
  const apis = new Map<OperatorCaller, typeof app>();
  const socket = await serveSocket(join(folder.path, "peyk.sock"), app.fetch);

  return {
    ...deps,
    lookups,
    sealer,
    traces,
    acceptor: accept,
    /** Ids of messages that a resend handed to the queue. */
    queued,
    clock,
    store,
    app,
    folder: folder.path,
    socketPath: socket.path,
    /** By route; all are simulated. */
    carriers,
    /** Setting a check to false makes the server not ready. */
    checks: readiness,
    perform: performer.perform,
    performNamed: performer.performNamed.bind(performer),
    /** The same over HTTP, as if the listener knew the caller. */
    async askAs(caller: OperatorCaller, method: string, path: string, body?: unknown) {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const api = apis.get(caller) ?? operatorApi(deps, performer, () => caller);
      apis.set(caller, api);
      const response = await api.fetch(new Request(`http://localhost${path}`, init));
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      const answered: unknown = isJson ? await response.json() : await response.text();
      return { status: response.status, body: answered };
    },
    /** Sends a request to the socket and parses the JSON answer. */
    async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const response = await fetch(`http://localhost${path}`, { method, unix: socket.path, ...init });
      return { status: response.status, body: await response.json() };
    },
    /** Stores a message as the public API would, and returns its tracking code. */
    async storeMessage(
      message: Partial<Parameters<typeof store.tables.messages.insert>[0]> & { trackingCode: string },
    ) {
      const now = clock.now();
      await store.write((tables) =>
        tables.messages.insert({
          accountId: 1,
          senderId: 1,
          class: 1,
          sender: "30001",
          recipient: "+989121234567",
          text: "سلام",
          clientReference: null,
          encoding: "Persian",
          characterCount: 4,
          partCount: 1,
          submittedAt: now,
          sendAt: null,
          validUntil: now + 3_600_000,
          ...message,
        }),
      );
      return message.trackingCode;
    },
    async close() {
      await copies.stop();
      await lookups.settled();
      await socket.stop();
      await groups.stop();
      await set.stop();
      await readThread.stop();
      store.close();
      folder.remove();
    },
  };
}
