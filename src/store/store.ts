/** The store: one SQLite file, one connection, group commit for every write, a class per table. */

import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Random } from "../platform/random.ts";
import { AccountRetentionTable } from "./account-retention.ts";
import { AccountTable } from "./accounts.ts";
import { ApprovalTable } from "./approvals.ts";
import { AuditTable } from "./audit.ts";
import { AwaitedReceiptTable } from "./awaited-receipts.ts";
import { BalanceWatchTable } from "./balance-watches.ts";
import { cachedPages } from "./cached-pages.ts";
import { CampaignTable } from "./campaigns.ts";
import { ChargeTable } from "./charges.ts";
import { Checkpointer } from "./checkpoint.ts";
import { CredentialDeliveryTable } from "./credential-deliveries.ts";
import { CredentialRequestTable } from "./credential-requests.ts";
import { CredentialTable } from "./credentials.ts";
import { CurrencyTable } from "./currency.ts";
import { type ApplyMigration, type DatabaseKeeping, openDatabase } from "./database.ts";
import { DeliveryLogTable } from "./delivery-log.ts";
import type { Drizzle } from "./drizzle.ts";
import { EventRetentionTable } from "./event-retention.ts";
import { FreeSpace } from "./free-space.ts";
import { GroupCommit, type GroupCommitObserver, type GroupCommitOptions, StoreUnavailable } from "./group-commit.ts";
import { GroupMemberTable, GroupTable } from "./groups.ts";
import { HiddenRuns } from "./hidden-runs.ts";
import { IdempotencyTable } from "./idempotency.ts";
import { IdentityTable } from "./identities.ts";
import { type InboundListener, InboundTable } from "./inbound.ts";
import { InboundPartTable } from "./inbound-parts.ts";
import { InboundRepeatTable } from "./inbound-repeats.ts";
import { InboundRuleTable } from "./inbound-rules.ts";
import { InboundSearchTable } from "./inbound-search.ts";
import { KeyTable } from "./keys.ts";
import { LedgerTable } from "./ledger.ts";
import { LineTable } from "./lines.ts";
import { type ChangedPages, LogFrames } from "./log-frames.ts";
import { MessageCallbackTable } from "./message-callbacks.ts";
import { MessageRemover } from "./message-remover.ts";
import { MessageSearchTable } from "./message-search.ts";
import { MessageTemplateTable } from "./message-templates.ts";
import { MessageTlvsTable } from "./message-tlvs.ts";
import { MessageTable, type StatusListener } from "./messages.ts";
import type { Migration } from "./migrations.ts";
import { OrphanReceiptTable } from "./orphan-receipts.ts";
import { OtpRangeTable } from "./otp-ranges.ts";
import { OtpSendTable } from "./otp-sends.ts";
import { OtpStepTable } from "./otp-steps.ts";
import { OutboxTable } from "./outbox.ts";
import { OutcomeMinuteTable } from "./outcome-minutes.ts";
import { PartTable } from "./parts.ts";
import { PasskeyTable } from "./passkeys.ts";
import { PatternTable } from "./patterns.ts";
import { NetworkTable, PlanTable } from "./plans.ts";
import { PriceListTable } from "./price-lists.ts";
import { QueueTable } from "./queue.ts";
import { QuotaTable } from "./quotas.ts";
import { type ReachedObserver, ReachedStatuses } from "./reached-statuses.ts";
import { RecipientDataTable } from "./recipient-data.ts";
import { RecipientEvents } from "./recipient-events.ts";
import { RefusalTable } from "./refusals.ts";
import type { Replication } from "./replication.ts";
import { RestoreHoldTable } from "./restore-hold.ts";
import { RetentionTable } from "./retention.ts";
import { RollupTable } from "./rollups.ts";
import { CarrierCursorTable, RouteTable } from "./routes.ts";
import { holdsSealed, sealedSecretsIn } from "./sealed-samples.ts";
import { SearchIndexTable } from "./search-index.ts";
import { SenderRequestTable } from "./sender-requests.ts";
import { SenderTable } from "./senders.ts";
import { AlertStateTable, HashKeyTable, WallClockTable } from "./service-state.ts";
import { SessionTable } from "./sessions.ts";
import { SmppAssemblyTable } from "./smpp-assemblies.ts";
import { SmppSubmitTable } from "./smpp-submits.ts";
import { StagedRunTable } from "./staged-runs.ts";
import { SuppressionTable } from "./suppression.ts";
import { TargetShareTable } from "./target-shares.ts";
import { TimelineTable } from "./timeline.ts";
import { UserTokenTable } from "./user-tokens.ts";
import { UserTable } from "./users.ts";
import { WebhookTable } from "./webhooks.ts";

/** Every table. Reads may be called at any time, writes only inside `Store.write`. */
export type Tables = ReturnType<typeof openTables>;

/** Called inside transactions. */
interface Listeners {
  status: StatusListener[];
  inbound: InboundListener[];
}

function openTables(database: Database, listeners: Listeners, commits: GroupCommit, observer: ReachedObserver) {
  const orm: Drizzle = drizzle(database);
  const hidden = new HiddenRuns();
  const rollups = new RollupTable(database, hidden);
  const money = openMoneyTables(database, orm);
  const { ledger, charges } = money;
  const refusals = new RefusalTable(database);
  const reached = new ReachedStatuses(observer);
  const otp = openOtpTables(database, orm);
  const told = { listeners: listeners.status, otpSteps: otp.otpSteps, reached };
  const messages = new MessageTable(database, { ...told, hidden, rollups, charges });
  const idempotency = new IdempotencyTable(database, { messages, write: (change) => commits.write(change) });
  const quotas = new QuotaTable(database);
  const targetShares = new TargetShareTable(database);
  const remover = new MessageRemover(database, messages.stubs);
  const parts = new PartTable(database);
  const counted = [rollups, refusals, quotas, targetShares, ledger, charges, otp.otpRanges, reached];
  commits.gather(messages.appended, idempotency.appended, parts.appended, ...counted);
  return {
    accounts: new AccountTable(orm),
    keys: new KeyTable(orm),
    senders: new SenderTable(orm),
    ...lateTables(database, orm, commits),
    routes: new RouteTable(orm),
    plans: new PlanTable(orm),
    targetShares,
    networks: new NetworkTable(database),
    messageSearch: new MessageSearchTable(orm),
    messages,
    messageTemplates: new MessageTemplateTable(database),
    messageTlvs: new MessageTlvsTable(database),
    rollups,
    refusals,
    searchIndex: new SearchIndexTable(database, hidden),
    queue: new QueueTable(database),
    quotas,
    ...money,
    retention: new RetentionTable(database, remover),
    restoreHold: new RestoreHoldTable(database),
    orphanReceipts: new OrphanReceiptTable(database),
    parts,
    awaitedReceipts: new AwaitedReceiptTable(database),
    carrierCursors: new CarrierCursorTable(database),
    timeline: new TimelineTable(database),
    idempotency,
    webhooks: new WebhookTable(database, orm),
    ...openEventTables(database),
    lines: new LineTable(orm),
    inbound: new InboundTable(database, listeners.inbound),
    inboundParts: new InboundPartTable(database),
    inboundRepeats: new InboundRepeatTable(database),
    inboundSearch: new InboundSearchTable(orm),
    stagedRuns: new StagedRunTable(database, hidden),
    groups: new GroupTable(orm),
    groupMembers: new GroupMemberTable(database),
    patterns: new PatternTable(orm),
    approvals: new ApprovalTable(orm),
    ...otp,
    hashKeys: new HashKeyTable(orm),
    wallClock: new WallClockTable(database),
    alertState: new AlertStateTable(orm),
    audit: new AuditTable(orm),
    ...openUserTables(orm),
    suppression: new SuppressionTable(database),
    recipientData: new RecipientDataTable(database, hidden),
    accountRetention: new AccountRetentionTable(database, new RecipientEvents(database), remover),
  };
}

function openUserTables(orm: Drizzle) {
  return {
    users: new UserTable(orm),
    sessions: new SessionTable(orm),
    userTokens: new UserTokenTable(orm),
    identities: new IdentityTable(orm),
    passkeys: new PasskeyTable(orm),
    senderRequests: new SenderRequestTable(orm),
    balanceWatches: new BalanceWatchTable(orm),
  };
}

function openEventTables(database: Database) {
  const outbox = new OutboxTable(database);
  return {
    outbox,
    deliveryLog: new DeliveryLogTable(database),
    eventRetention: new EventRetentionTable(database, outbox),
  };
}

const openOtpTables = (database: Database, orm: Drizzle) => ({
  otpSends: new OtpSendTable(database),
  otpSteps: new OtpStepTable(database, orm),
  otpRanges: new OtpRangeTable(database),
});

function openMoneyTables(database: Database, orm: Drizzle) {
  const currency = new CurrencyTable(database);
  const ledger = new LedgerTable(database, currency);
  const priceLists = new PriceListTable(database, orm, currency);
  return { currency, priceLists, ledger, charges: new ChargeTable(database, ledger) };
}

/** These prepare no statements until they are used, most of them by few installations. */
const lateTables = (database: Database, orm: Drizzle, commits: GroupCommit) => ({
  inboundRules: new InboundRuleTable(orm),
  credentials: new CredentialTable(orm),
  credentialDeliveries: new CredentialDeliveryTable(database),
  credentialRequests: new CredentialRequestTable(database),
  messageCallbacks: new MessageCallbackTable(database),
  campaigns: new CampaignTable(database),
  outcomeMinutes: new OutcomeMinuteTable(orm),
  smppSubmits: new SmppSubmitTable(database, (gathered) => commits.gather(gathered)),
  smppAssemblies: new SmppAssemblyTable(database),
});

export interface Store {
  /**
   * Runs `change` in the next transaction and resolves with its result once that is on disk. `change` may run twice, so
   * it must have no effect outside the database. Rejects with what `change` threw, or with StoreUnavailable if the disk
   * refused.
   */
  write<T>(change: (tables: Tables) => T): Promise<T>;
  /**
   * Like `write`, for the hot path: `change` appends messages and requests, and reads no table that depends on them.
   * Resolves with what `committed` makes of the result: an `async` caller instead took 0.1 µs longer.
   */
  append<T, Told>(change: (tables: Tables) => T, committed: (result: T) => Told): Promise<Told>;
  readonly tables: Tables;
  /** The path of the database file. */
  readonly path: string;
  /** Registers `listener` to run inside every transaction that changes a public status. It may write. */
  onStatus(listener: StatusListener): void;
  /** Registers `listener` to run inside every transaction that makes an inbound message available. It may write. */
  onInbound(listener: InboundListener): void;
  /** Secrets that only the right key opens, at most one of each kind. */
  sealedSecrets(): Uint8Array[];
  /** True if a new key would leave something unreadable. May take a second, so only call it if the key is missing. */
  holdsSealed(): boolean;
  /** True if a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /**
   * Rewrites the database file, without the data that `wipeFreeSpace` overwrites. The service stops meanwhile, about a
   * second per 100 MB. Throws StoreUnavailable.
   */
  rewrite(): void;
  /** Empties the log, so that no erased data stays in it; false while a reader needs what is only there. */
  emptyLog(): boolean;
  /**
   * Overwrites a slice of the free space inside the file's pages, where SQLite leaves copies of moved rows; pages count
   * from 1. Returns where to continue, null at the end; `busy` while the log is being read, and `unknown` for a file
   * that only `rewrite` can clean. Throws StoreUnavailable.
   */
  wipeFreeSpace(firstPage: number): number | null | "busy" | "unknown";
  /** True where nothing much was written since the last call: then the memory of cached pages was given back. */
  freeCachedPages(): boolean;
  /** True if commits are also kept elsewhere. */
  readonly isReplicated: boolean;
  /**
   * Resolves once every commit is also kept elsewhere, before anything more is committed; at once without a cluster.
   */
  drain(): Promise<void>;
  /**
   * Commits what is pending and closes the file. After a failed sync it stays open, because closing would write (see
   * `exitAtOnce`).
   */
  close(): void;
}

export interface StoreOptions extends Omit<GroupCommitOptions, "checkpointer" | "log" | "replicated"> {
  folder: string;
  /** Epoch milliseconds, for what opening writes. */
  now: number;
  /** Generates the installation's id; the system's source unless given. */
  random?: Pick<Random, "uuid">;
  observer?: GroupCommitObserver;
  /** Called with the messages that each commit moved to another public status; must not throw. */
  reached?: ReachedObserver;
  migrations?: readonly Migration[];
  applying?: ApplyMigration;
  /** Keeps every commit elsewhere as well, starting with what opening writes. */
  replication?: Replication | undefined;
}

const noObserver: GroupCommitObserver = { committed: () => {} };
const noReachedObserver: ReachedObserver = () => {};

const replicatedKeeping: DatabaseKeeping = { isReplicated: true };

export function openStore(options: StoreOptions): Store {
  const { folder, now, random, observer = noObserver, migrations, applying, replication, reached, ...told } = options;
  const keeping = replication && replicatedKeeping;
  const opened = openDatabase(folder, now, migrations, applying, random, keeping);
  const frames = replication && new LogFrames(opened.database, opened.path);
  if (frames !== undefined) replication?.committed(frames.take(), () => {});
  const listeners: Listeners = { status: [], inbound: [] };
  const checkpointer = new Checkpointer(opened.database, folder, opened.growth);
  const freeSpace = new FreeSpace(opened.database, opened.path);
  const commits = new GroupCommit(opened.database, observer, {
    checkpointer,
    ...(opened.log !== null && { log: opened.log }),
    ...(replication && frames && { replicated: { to: replication, frames } }),
    ...told,
  });
  const tables = openTables(opened.database, listeners, commits, reached ?? noReachedObserver);
  const touch = opened.database.prepare("UPDATE migration SET applied_at = applied_at WHERE number = 1");
  return {
    write: (change) => commits.write(() => change(tables)),
    append: (change, committed) => commits.append(() => change(tables), committed),
    tables,
    path: opened.path,
    onStatus: (listener) => void listeners.status.push(listener),
    onInbound: (listener) => void listeners.inbound.push(listener),
    sealedSecrets: () => sealedSecretsIn(opened.database),
    holdsSealed: () => holdsSealed(opened.database),
    probe: () =>
      commits
        .write(() => touch.run())
        .then(() => true)
        .catch(() => false),
    rewrite: () => commits.rewrite(),
    emptyLog: () => commits.emptyLog(),
    wipeFreeSpace(firstPage) {
      if (!commits.emptyLog()) return "busy";
      try {
        const ship = (pages: ChangedPages) => replication?.committed(pages, () => {});
        return freeSpace.isKnown ? freeSpace.wipe(firstPage, ship) : "unknown";
      } catch (reason) {
        throw new StoreUnavailable(reason);
      }
    },
    freeCachedPages: cachedPages(opened.database),
    isReplicated: replication !== undefined,
    drain: () => commits.drain(),
    close() {
      if (!commits.close()) return;
      frames?.close();
      opened.close();
      freeSpace.close();
    },
  };
}
