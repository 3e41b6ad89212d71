/** Assembles what customers can do: send, cancel, track, groups, patterns, one-time passwords. */

import { DeliveryWatch } from "../dispatch/delivery-watch.ts";
import { erasedRecipientsPurpose } from "../domain/privacy.ts";
import { isFactorDemanded } from "../domain/roles.ts";
import { openBilling } from "../messaging/billing/billing.ts";
import type { PriceService } from "../messaging/billing/price-service.ts";
import { Campaigns } from "../messaging/campaigns/campaigns.ts";
import { SendingCountries } from "../messaging/directory/sending-countries.ts";
import { openGroups } from "../messaging/groups/groups.ts";
import { InboundMails } from "../messaging/inbound-rules/inbound-mails.ts";
import { InboundRuleEngine, type RuleEngineDeps } from "../messaging/inbound-rules/inbound-rules.ts";
import { RuleService } from "../messaging/inbound-rules/rule-service.ts";
import { Acceptor, type QueuedMessage } from "../messaging/messages/accept.ts";
import { AutomaticMessages, type AutomaticMessagesDeps } from "../messaging/messages/automatic-messages.ts";
import { canceller } from "../messaging/messages/cancel.ts";
import type { RecipientRules } from "../messaging/messages/draft.ts";
import { Explainer } from "../messaging/messages/explain.ts";
import { OperatorCanceller } from "../messaging/messages/operator-cancel.ts";
import { Resender } from "../messaging/messages/resend.ts";
import { TextSender } from "../messaging/messages/text-sender.ts";
import { tracker } from "../messaging/messages/track.ts";
import { WaitingCanceller } from "../messaging/messages/waiting-canceller.ts";
import { openOtp } from "../messaging/otp/otp.ts";
import type { OtpService } from "../messaging/otp/otp-service.ts";
import { openPatterns } from "../messaging/patterns/patterns.ts";
import { ErasureList } from "../messaging/privacy/erasure-list.ts";
import { PrivacyService } from "../messaging/privacy/privacy-service.ts";
import { openQuotas } from "../messaging/quotas/quotas.ts";
import { RefusedRequests } from "../messaging/refusals/refused-requests.ts";
import { Rerouter } from "../messaging/routing/rerouter.ts";
import { SandboxRule } from "../messaging/rules/sandbox.ts";
import { TrafficRules } from "../messaging/rules/traffic-rules.ts";
import { Keywords } from "../messaging/suppression/keywords.ts";
import { SuppressionService } from "../messaging/suppression/suppression-service.ts";
import { AuditTrail } from "../operator/audit-trail.ts";
import type { PortalMails } from "../operator/deps.ts";
import { LiveFigures } from "../operator/live-figures.ts";
import type { Clock } from "../platform/clock.ts";
import { createKeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import { CatchUp } from "../reports/catch-up.ts";
import { ReadThread } from "../reports/read-thread.ts";
import { Reports } from "../reports/reports.ts";
import { slotMs } from "../store/rollup-counts.ts";
import { PasskeyService } from "../users/passkey-service.ts";
import { ProviderRoles } from "../users/provider-roles.ts";
import { ProviderUsers } from "../users/provider-users.ts";
import { SessionEnds } from "../users/session-ends.ts";
import { SessionService } from "../users/session-service.ts";
import { sessionTokenPurpose } from "../users/session-tokens.ts";
import { UserService } from "../users/user-service.ts";
import { UserTokenService } from "../users/user-token-service.ts";
import { BalanceWatcher } from "./balance-watcher.ts";
import { mailSender, openPortalMails } from "./portal-mails.ts";
import type { Routing } from "./routing.ts";
import { openSingleSignOn } from "./single-sign-on.ts";
import type { ServerStorage } from "./storage.ts";

export type Services = ReturnType<typeof openServices>;

export function openServices(storage: ServerStorage, routing: Routing) {
  const { dispatcher, running, texts, handover } = routing;
  const { store, clock, bookingClock, random, log, directory, metrics, settings, hashKey } = storage;
  const accepted = (waiting: readonly QueuedMessage[]) => {
    metrics.accepted(waiting);
    dispatcher.accepted(waiting);
  };
  const { acceptor, rules, ...traffic } = openAcceptance(storage, routing, accepted);
  const countries = new SendingCountries({ directory, countries: settings.sending.countries });
  const deps = { store, clock, bookingClock, random, log, directory, acceptor, accepted };
  const { defaultRegion, groups } = settings;
  const readThread = new ReadThread(store.path, clock);
  const reports = new Reports(readThread);
  const patterns = openPatterns(deps);
  const openedGroups = openGroups({
    ...deps,
    defaultRegion,
    numbers: settings.messages,
    countries,
    membersMax: groups.membersMax,
  });
  const recipientRules = (accountId: number): RecipientRules => ({
    defaultRegion,
    numbers: settings.messages,
    countries: countries.of(accountId),
  });
  const rulesDeps = { ...deps, timeZones: routing.timeZones, recipientRules, groups: openedGroups.changes };
  const inboundRules = openInboundRules(storage, rulesDeps);
  const mayExpire = () => storage.wallClock.doubt() === null;
  const otp = openOtp({ ...deps, mayExpire, patterns: patterns.sender, texts, hashKey, settings: settings.otp });
  const mails = openPortalMails(storage);
  return {
    acceptor,
    accepted,
    audit: new AuditTrail(deps),
    ...consoleServices(storage, running),
    countries,
    portalMails: mails,
    balanceWatcher: balanceWatcherOf(storage, mails, traffic.prices),
    refusedRequests: new RefusedRequests(clock),
    resender: new Resender({ ...deps, countries }),
    rerouter: rerouterOf(storage, rules, dispatcher.accepted),
    canceller: canceller(store, clock),
    operatorCanceller: new OperatorCanceller({ store, clock }),
    waitingCanceller: new WaitingCanceller({ store, clock, directory }),
    campaigns: new Campaigns({ store, clock, count: (id) => reports.campaign(id) }),
    ...recipientServices(storage, running, openedGroups.isListRead),
    readThread,
    reports,
    passedTags: running.passedTags,
    deliveryWatch: watchDeliveryRates({ reports, routing, clock, log }),
    catchUp: new CatchUp({ store, clock, log }),
    tracker: tracker(store),
    groups: openedGroups,
    textSender: new TextSender({ ...deps, stager: openedGroups.stager, turns: openedGroups.turns }),
    recipientRules,
    inboundRules,
    explainer: new Explainer({
      ...deps,
      currency: storage.settings.currency,
      recipientRules,
      handover,
      ...otpTerms(otp.service),
    }),
    patterns,
    ...traffic,
    otp,
  };
}

/** What texts from phones lead to: the keywords of the suppression lists first, then the rules of the line. */
function openInboundRules(
  storage: ServerStorage,
  given: Omit<RuleEngineDeps, "automatic" | "mails" | "repliesHourlyMax"> & AutomaticMessagesDeps & { clock: Clock },
) {
  const { settings, store } = storage;
  const mails = new InboundMails({ ...given, send: mailSender(storage), answerGate: storage.answerGate });
  const deps = { ...given, mails };
  const automatic = new AutomaticMessages(deps);
  const keywords = new Keywords({ ...deps, automatic, settings: settings.suppression });
  const engine = new InboundRuleEngine({ ...deps, automatic, repliesHourlyMax: settings.inbound.repliesHourlyMax });
  store.onInbound((text) => void (keywords.received(text) || engine.received(text)));
  const service = new RuleService({ ...deps, defaultRegion: settings.defaultRegion });
  return { engine, service, mails, keywordOf: keywords.actionOf };
}

const otpTerms = ({ waitMs, plans }: OtpService) => ({
  otpWaitMs: waitMs,
  otpSteps: (accountId: number, pattern: string | null) => plans.stepsFor(accountId, pattern),
});

function balanceWatcherOf(storage: ServerStorage, mails: PortalMails, prices: Pick<PriceService, "billingOf">) {
  const { currency, portal } = storage.settings;
  const billingOf = (accountId: number) => prices.billingOf(accountId);
  return new BalanceWatcher({ ...storage, billingOf, portalMails: mails, currency, portalUrl: portal.url ?? "" });
}

/** Services concerning recipients: suppression lists, and the data stored about each. */
function recipientServices(
  { settings, hashKey, ...storage }: ServerStorage,
  phones: Routing["running"],
  isListRead: (listId: number) => boolean,
) {
  const deps = { ...storage, defaultRegion: settings.defaultRegion, numbers: settings.messages };
  const hash = createKeyedHash(hashKey(erasedRecipientsPurpose));
  return {
    suppression: new SuppressionService(deps),
    privacy: new PrivacyService({ ...deps, hash, list: new ErasureList(settings.dataDir), isListRead, phones }),
  };
}

/** What the console needs in addition. */
function consoleServices(storage: ServerStorage, running: Routing["running"]) {
  const { store, clock, log, directory } = storage;
  return {
    ...userServices(storage),
    live: new LiveFigures({
      clock,
      log,
      store,
      running,
      outcomes: () => store.tables.rollups.outcomes(),
      routeIds: () => directory.routes().map(({ id }) => id),
    }),
  };
}

/** Who signs in, by which way, and as what. */
function userServices(storage: ServerStorage) {
  const { settings, store, hashKey } = storage;
  const { oidc } = settings;
  const providerRoles = new ProviderRoles({
    hours: { console: oidc.sessionHours, portal: oidc.portal.sessionHours },
    mayHaveOwn: oidc.passkeys,
  });
  const tokenProof = createKeyedHash(hashKey(sessionTokenPurpose));
  const owned = { ...storage, ends: new SessionEnds(store), providerRoles, passwords: settings.console.passwords };
  const passkeys = new PasskeyService({
    ...owned,
    handles: tokenProof,
    urls: { console: settings.console.url, portal: settings.portal.url },
    isFactorDemanded: (role) => isFactorDemanded(settings.console.secondFactor, role),
  });
  const deps = { ...owned, tokenProof, passkeys };
  const sessions = new SessionService(deps);
  const issuers = { console: oidc.issuer, portal: oidc.portal.issuer };
  const providerUsers = new ProviderUsers({ ...deps, sessions, issuers });
  return {
    users: new UserService(deps),
    userTokens: new UserTokenService(deps),
    passkeys,
    sessions,
    providerUsers,
    singleSignOn: openSingleSignOn(settings, { ...storage, users: providerUsers, sessions }),
  };
}

/** Runs again after every change of a plan or a sender. */
function rerouterOf(
  { store, log, directory, routingPlans: { plans } }: ServerStorage,
  rules: TrafficRules,
  moved: (waiting: readonly QueuedMessage[]) => void,
): Rerouter {
  const rerouter = new Rerouter({ store, log, plans, rules, moved });
  plans.onChange(rerouter.run);
  directory.subscribe({ senderChanged: rerouter.run });
  return rerouter;
}

const hourMs = 3_600_000;

/** `accepted`: called with every message after its commit. */
export function openAcceptance(
  storage: ServerStorage,
  { quietHours, timeZones }: Routing,
  accepted: (waiting: readonly QueuedMessage[]) => void,
) {
  const { log, directory, settings, routingPlans, lookups } = storage;
  const quotas = openQuotas({ ...storage, timeZones, calendar: settings.defaultCalendar });
  const { currency, defaultTimeZone: timeZone } = settings;
  const {
    rule: price,
    guard,
    prices,
    balances,
  } = openBilling({ ...storage, networks: routingPlans.networks, timeZone, currency });
  const { network, plan } = routingPlans.rules;
  const spoken = [network, new SandboxRule(directory), plan, price, quietHours];
  const rules = new TrafficRules(spoken, [quotas.guard, guard]);
  const acceptor = new Acceptor({
    ...storage,
    rules,
    lookups,
    validityMs: settings.messages.validityHours * hourMs,
    mismatch: settings.idempotency.mismatch,
    accepted,
    mismatched: ({ apiKeyId }, { operation }) =>
      log.warn({ apiKeyId, operation }, "idempotency key reused with another payload"),
  });
  return { acceptor, rules, quotas: quotas.service, prices, balances, timeZones };
}

interface DeliveryRateDeps {
  reports: Pick<Reports, "figures">;
  routing: Pick<Routing, "running" | "dispatcher">;
  clock: Clock;
  log: Logger;
}

/** Bypasses routes by their delivery rates: supplies the dispatcher with the figures of reports. */
export function watchDeliveryRates({ reports, routing, clock, log }: DeliveryRateDeps): DeliveryWatch {
  return new DeliveryWatch({
    clock,
    log,
    routes: () => routing.running.all(),
    changed: routing.dispatcher.changed,
    async decided(routeId, from) {
      const request = { by: [], period: "all", timeZone: "UTC", calendar: "gregory", filter: { routeId } } as const;
      // Only quarter hours that begin within the period: earlier messages must not decide.
      const [row] = await reports.figures({
        ...request,
        from: Math.ceil(from / slotMs) * slotMs,
        to: clock.now() + slotMs,
      });
      const { delivered = 0, failed = 0 } = row?.statuses ?? {};
      return { delivered, failed };
    },
  });
}
