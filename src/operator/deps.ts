/** The dependencies of the operator API. */

import type { Alerts } from "../alerts/alerts.ts";
import type { AlertReceivers } from "../alerts/receivers.ts";
import type { ClusterFacts } from "../conditions/condition.ts";
import type { Settings, SettingsSource } from "../config/settings.ts";
import type { DownSpan, RouteSet } from "../dispatch/route-set.ts";
import type { Calendar } from "../domain/local-calendar.ts";
import type { ReadinessChecks } from "../domain/readiness.ts";
import type { KeywordAction } from "../domain/suppression.ts";
import type { Inbound } from "../inbound/inbound.ts";
import type { BalanceService } from "../messaging/billing/balance-service.ts";
import type { PriceService } from "../messaging/billing/price-service.ts";
import type { Campaigns } from "../messaging/campaigns/campaigns.ts";
import type { AccountService, KeyService } from "../messaging/directory/account-service.ts";
import type { AccountTimeZones } from "../messaging/directory/account-time-zones.ts";
import type { CredentialDirectory } from "../messaging/directory/credential-directory.ts";
import type { CredentialService } from "../messaging/directory/credential-service.ts";
import type { Directory } from "../messaging/directory/directory.ts";
import type { Guesses } from "../messaging/directory/guess-counts.ts";
import type { RouteService } from "../messaging/directory/route-service.ts";
import type { SenderService } from "../messaging/directory/sender-service.ts";
import type { GroupService } from "../messaging/groups/group-service.ts";
import type { InboundRuleEngine } from "../messaging/inbound-rules/inbound-rules.ts";
import type { RuleService } from "../messaging/inbound-rules/rule-service.ts";
import type { RecordedCall } from "../messaging/intake/intake-calls.ts";
import type { RecipientRules } from "../messaging/messages/draft.ts";
import type { Explainer } from "../messaging/messages/explain.ts";
import type { MessageService } from "../messaging/messages/message-service.ts";
import type { OperatorCanceller } from "../messaging/messages/operator-cancel.ts";
import type { LaneDepth } from "../messaging/messages/queue-depth.ts";
import type { Resender } from "../messaging/messages/resend.ts";
import type { TextSender } from "../messaging/messages/text-sender.ts";
import type { WaitingCanceller } from "../messaging/messages/waiting-canceller.ts";
import type { OtpGuard } from "../messaging/otp/otp-guard.ts";
import type { OtpPlans } from "../messaging/otp/otp-plans.ts";
import type { PatternService } from "../messaging/patterns/pattern-service.ts";
import type { PrivacyService } from "../messaging/privacy/privacy-service.ts";
import type { QuotaService } from "../messaging/quotas/quota-service.ts";
import type { RefusedRequests } from "../messaging/refusals/refused-requests.ts";
import type { NumberLookups } from "../messaging/routing/number-lookups.ts";
import type { RoutingPlans } from "../messaging/routing/routing-plans.ts";
import type { AccountQuietHours } from "../messaging/rules/quiet-hours.ts";
import type { SuppressionService } from "../messaging/suppression/suppression-service.ts";
import type { BackupCopies } from "../platform/backup-copies.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { CertificateReload } from "../platform/certificate.ts";
import type { Clock } from "../platform/clock.ts";
import type { ClockDoubt } from "../platform/clock-watch.ts";
import type { DamageWatch } from "../platform/damage-watch.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Shipping } from "../platform/shipping.ts";
import type { TargetState } from "../platform/target-state.ts";
import type { CarrierCallbackUrls } from "../providers/http/callback-receiver.ts";
import type { RouteTraces } from "../providers/route-trace.ts";
import type { CatchUp } from "../reports/catch-up.ts";
import type { Reports } from "../reports/reports.ts";
import type { ApprovalTable } from "../store/approvals.ts";
import type { BalanceWatchTable } from "../store/balance-watches.ts";
import type { WaitingDeliveries } from "../store/credential-deliveries.ts";
import type { CountedRefusal } from "../store/refusals.ts";
import type { SenderRequestTable } from "../store/sender-requests.ts";
import type { Store } from "../store/store.ts";
import type { PasskeyService } from "../users/passkey-service.ts";
import type { ProviderUsers } from "../users/provider-users.ts";
import type { UserService } from "../users/user-service.ts";
import type { UserTokenService } from "../users/user-token-service.ts";
import type { DeliveryService } from "../webhooks/delivery-service.ts";
import type { SecretRotation } from "../webhooks/secret-rotation.ts";
import type { WebhookService } from "../webhooks/webhook-service.ts";
import type { AuditTrail } from "./audit-trail.ts";
import type { CredentialHours } from "./credential-hours.ts";
import type { LiveFigures } from "./live-figures.ts";

/** Mails to customers' people. Each resolves to false if it could not be sent. */
export interface PortalMails {
  /** Whether there is a mail server. */
  readonly isSet: boolean;
  /** Counts what may lead to a mail to an address that a customer chose. @throws OperatorError `invitation_limit_reached` */
  count(accountId: number): void;
  invite(mail: string, values: { name: string; url: string }): Promise<boolean>;
  confirm(mail: string, values: { amount: string; url: string }): Promise<boolean>;
  below(mail: string, values: { account: string; left: string; amount: string; url: string }): Promise<boolean>;
}

/** The running routes: their state, their test, and what simulated phones received through them. */
export type RunningRoutes = Pick<RouteSet, "state" | "probe" | "tryFile" | "received">;

/** Facts that do not change while the server runs. */
export interface ServerFacts {
  version: string;
  supportReadsTexts: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
  dataDir: string;
  /** The bound addresses, with the actual port if 0 was configured. */
  listen: string;
  consoleListen: string;
  portalListen: string | null;
  dropInListen: string | null;
  /** Ports. */
  smtpListen: readonly number[];
  /** Where browsers reach the console and the portal; null if not served. */
  consoleUrl: string;
  portalUrl: string | null;
  /** For recipients given in national spelling in a search. */
  defaultRegion: string;
  /** Whether test keys may be issued. */
  sandboxEnabled: boolean;
  /** The currency of prices and balances. */
  currency: string;
  /** The calendar of the months in account reports. */
  calendar: Calendar;
}

export interface WallClockControl {
  doubt(): ClockDoubt | null;
  confirm(): Promise<void>;
}

/** What a credential's binds have done since the service started. */
export interface CredentialUse {
  credentialId: number;
  accepted: number;
  refused: number;
  /** Over the last ten seconds; null if it is not measured. */
  submitsPerSecond: number | null;
  lastRefusal: { at: number; status: string; words: string } | null;
  /** When it was first bound, and when it was not since then, in epoch milliseconds; null where there are no binds. */
  bound: { since: number; gaps: readonly DownSpan[] } | null;
  binds: {
    mode: string;
    address: string;
    /** Epoch milliseconds. */
    since: number;
    window: number;
    openSubmits: number;
    openDeliveries: number;
  }[];
}

export interface CredentialAccess {
  readonly directory: Pick<CredentialDirectory, "all" | "byId" | "owner">;
  readonly service: Pick<CredentialService, "create" | "change" | "rotate" | "revoke" | "setForward" | "setOptions">;
  readonly traces: Pick<RouteTraces, "watch">;
  /** The last calls of an intake, newest first. */
  calls(credentialId: number): readonly RecordedCall[];
  seal(plain: string): Uint8Array;
  /** Whether customers can bind at all. */
  readonly isListening: boolean;
  /** For credentials that have bound. */
  uses(): readonly CredentialUse[];
  /** What was accepted of each, by the hour. */
  readonly hours: Pick<CredentialHours, "of" | "since">;
  /** What each credential has not acknowledged yet. */
  waiting(): readonly WaitingDeliveries[];
  /** Wrong passwords that keep coming. */
  guesses(): readonly Guesses[];
}

export interface OperatorDeps {
  settings: Settings;
  /** Where the settings came from: the file that was read, or null, and the origin of each by its dotted key. */
  settingsSource: SettingsSource;
  alerts: Pick<Alerts, "all" | "firing" | "notices" | "channels" | "test" | "silences" | "silence" | "endSilence">;
  alertReceivers: Pick<AlertReceivers, "states" | "set" | "switchOff" | "remove">;
  audit: AuditTrail;
  directory: Directory;
  accounts: AccountService;
  keys: KeyService;
  credentials: CredentialAccess;
  random: Random;
  senders: SenderService;
  routes: RouteService;
  routingPlans: RoutingPlans;
  lookups: Pick<NumberLookups, "state" | "set" | "try">;
  messages: MessageService;
  explainer: Explainer;
  resender: Resender;
  textSender: TextSender;
  inboundRules: {
    service: RuleService;
    engine: Pick<InboundRuleEngine, "decide" | "preview">;
    /** The keyword of the suppression lists that a text is. */
    keywordOf(text: string): KeywordAction | null;
  };
  /** Which numbers an account may send to. */
  recipientRules(accountId: number): RecipientRules;
  operatorCanceller: OperatorCanceller;
  waitingCanceller: WaitingCanceller;
  campaigns: Campaigns;
  inbound: Pick<Inbound, "lines" | "messages" | "simulate">;
  webhooks: DeliveryService;
  /** What customers do with their webhooks. */
  webhookService: Pick<WebhookService, "create" | "change" | "remove" | "test">;
  webhookSecrets: SecretRotation;
  groups: GroupService;
  approvals: Pick<ApprovalTable, "waiting">;
  senderRequests: Pick<SenderRequestTable, "ofAccount" | "waiting" | "byId">;
  balanceWatches: Pick<BalanceWatchTable, "of">;
  store: Pick<Store, "write">;
  patterns: PatternService;
  otpGuard: OtpGuard;
  otpPlans: OtpPlans;
  quotas: QuotaService;
  prices: PriceService;
  balances: BalanceService;
  timeZones: Pick<AccountTimeZones, "of">;
  suppression: SuppressionService;
  privacy: Pick<PrivacyService, "export" | "erase">;
  quietHours: Pick<AccountQuietHours, "until">;
  users: UserService;
  providerUsers: Pick<ProviderUsers, "link" | "unlink">;
  userTokens: UserTokenService;
  passkeys: Pick<PasskeyService, "list" | "remove">;
  reports: Pick<Reports, "search" | "export" | "figures" | "hours" | "newer">;
  /** What a route's carrier has refused since a time in epoch milliseconds; oldest first. */
  refusals(routeId: number, from: number): CountedRefusal[];
  portalMails: PortalMails;
  refusedRequests: Pick<RefusedRequests, "of" | "since">;
  catchUp: Pick<CatchUp, "progress">;
  running: RunningRoutes;
  traces: Pick<RouteTraces, "watch">;
  /** The URLs for a route's provider, which contain the secret; null for a route without callbacks. */
  callbackUrls(routeId: number): CarrierCallbackUrls | null;
  /** Sending: held after a restore, until it is released. */
  sending: { heldSince(): number | null; countCallbacks(): number; release(): Promise<boolean> };
  backups: {
    /** Of either kind, in epoch milliseconds. */
    newestAt(): number | null;
    /** Of the newest of each kind; null if there is none, or none are made. */
    nightlyAt(): number | null;
    frequentAt(): number | null;
    /** The current interval between frequent backups; null if none are made. */
    intervalMs(): number | null;
    shipping(): Shipping;
    /** The bucket that copies are brought to; null if there is none. */
    target(): (TargetState & { place: string; isRunning: boolean }) | null;
    copies: Pick<BackupCopies, "list" | "makingSince" | "failure" | "make" | "pathOf" | "check">;
  };
  /** Waiting messages, by lane. */
  lanes(): readonly LaneDepth[];
  reloadCertificate(): CertificateReload;
  /** Null without a cluster. */
  cluster(): ClusterFacts | null;
  /** For the public listener, in epoch milliseconds; null without TLS. */
  certificateEndsAt(): number | null;
  live: LiveFigures;
  /** Whether any message is stored. */
  hasMessages(): boolean;
  wallClock: WallClockControl;
  damage: Pick<DamageWatch, "damage" | "found">;
  readiness(): Promise<ReadinessChecks>;
  facts: ServerFacts;
  clock: Pick<Clock, "now" | "after">;
  bookingClock: Pick<BookingClock, "moment" | "now" | "aheadMs">;
  log: Logger;
}
