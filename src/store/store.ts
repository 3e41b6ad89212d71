/** The store: one SQLite file, one connection, group commit for every write, a class for every table. */
import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { AccountRetentionTable } from "./account-retention.ts";
import { AccountTable } from "./accounts.ts";
import { AlertStateTable } from "./alert-state.ts";
import { ApprovalTable } from "./approvals.ts";
import { AuditTable } from "./audit.ts";
import { AwaitedReceiptTable } from "./awaited-receipts.ts";
import { CarrierCursorTable } from "./carrier-cursors.ts";
import { ChargeTable } from "./charges.ts";
import { Checkpointer } from "./checkpoint.ts";
import { CredentialDeliveryTable } from "./credential-deliveries.ts";
import { CredentialTable } from "./credentials.ts";
import { CurrencyTable } from "./currency.ts";
import { openDatabase } from "./database.ts";
import { DeliveryLogTable } from "./delivery-log.ts";
import type { Drizzle } from "./drizzle.ts";
import { EventRetentionTable } from "./event-retention.ts";
import { FreeSpace } from "./free-space.ts";
import { GroupCommit, type GroupCommitObserver, type GroupCommitOptions, StoreUnavailable } from "./group-commit.ts";
import { GroupMemberTable } from "./group-members.ts";
import { GroupTable } from "./groups.ts";
import { HashKeyTable } from "./hash-keys.ts";
import { HiddenRuns } from "./hidden-runs.ts";
import { IdempotencyTable } from "./idempotency.ts";
import { type InboundListener, InboundTable } from "./inbound.ts";
import { InboundPartTable } from "./inbound-parts.ts";
import { InboundRepeatTable } from "./inbound-repeats.ts";
import { InboundSearchTable } from "./inbound-search.ts";
import { KeyTable } from "./keys.ts";
import { LedgerTable } from "./ledger.ts";
import { LineTable } from "./lines.ts";
import { MessageRemover } from "./message-remover.ts";
import { MessageSearchTable } from "./message-search.ts";
import { MessageTemplateTable } from "./message-templates.ts";
import { MessageTable, type StatusListener } from "./messages.ts";
import type { Migration } from "./migrations.ts";
import { NetworkTable } from "./networks.ts";
import { OrphanReceiptTable } from "./orphan-receipts.ts";
import { OtpRangeTable } from "./otp-ranges.ts";
import { OtpSendTable } from "./otp-sends.ts";
import { OutboxTable } from "./outbox.ts";
import { PartTable } from "./parts.ts";
import { PatternTable } from "./patterns.ts";
import { PlanTable } from "./plans.ts";
import { PriceListTable } from "./price-lists.ts";
import { QueueTable } from "./queue.ts";
import { QuotaTable } from "./quotas.ts";
import { RecipientDataTable } from "./recipient-data.ts";
import { RecipientEvents } from "./recipient-events.ts";
import { RefusalTable } from "./refusals.ts";
import { RestoreHoldTable } from "./restore-hold.ts";
import { RetentionTable } from "./retention.ts";
import { RollupTable } from "./rollups.ts";
import { RouteTable } from "./routes.ts";
import { holdsSealed, sealedSecretsIn } from "./sealed-samples.ts";
import { SearchIndexTable } from "./search-index.ts";
import { SenderTable } from "./senders.ts";
import { SessionTable } from "./sessions.ts";
import { SmppAssemblyTable } from "./smpp-assemblies.ts";
import { SmppSubmitTable } from "./smpp-submits.ts";
import { StagedRunTable } from "./staged-runs.ts";
import { SuppressionTable } from "./suppression.ts";
import { TargetShareTable } from "./target-shares.ts";
import { TimelineTable } from "./timeline.ts";
import { UserTable } from "./users.ts";
import { WallClockTable } from "./wall-clock.ts";
import { WebhookTable } from "./webhooks.ts";

/** Every table. Their reads may be called at any time, their writes only inside `Store.write`. */
export type Tables = ReturnType<typeof openTables>;

/** Called inside the transactions. */
interface Listeners {
  status: StatusListener[];
  inbound: InboundListener[];
}

function openTables(database: Database, listeners: Listeners, commits: GroupCommit) {
  const orm: Drizzle = drizzle(database);
  const hidden = new HiddenRuns();
  const rollups = new RollupTable(database, hidden);
  const money = openMoneyTables(database, orm);
  const { ledger, charges } = money;
  const refusals = new RefusalTable(database);
  const messages = new MessageTable(database, { listeners: listeners.status, hidden, rollups, charges });
  const idempotency = new IdempotencyTable(database, { write: (change) => commits.write(change) });
  const quotas = new QuotaTable(database);
  const targetShares = new TargetShareTable(database);
  const otpRanges = new OtpRangeTable(database);
  const remover = new MessageRemover(database);
  const { appended } = messages;
  const counted = [rollups, refusals, quotas, targetShares, ledger, charges, otpRanges];
  for (const gathered of [appended, idempotency.appended, ...counted]) commits.gather(gathered);
  return {
    accounts: new AccountTable(orm),
    keys: new KeyTable(orm),
    senders: new SenderTable(orm),
    ...credentialTables(database, orm, commits),
    routes: new RouteTable(orm),
    plans: new PlanTable(orm),
    targetShares,
    networks: new NetworkTable(database),
    messageSearch: new MessageSearchTable(orm),
    messages,
    messageTemplates: new MessageTemplateTable(database),
    rollups,
    refusals,
    searchIndex: new SearchIndexTable(database, hidden),
    queue: new QueueTable(database),
    quotas,
    ...money,
    retention: new RetentionTable(database, remover),
    restoreHold: new RestoreHoldTable(database),
    orphanReceipts: new OrphanReceiptTable(database),
    parts: new PartTable(database),
    awaitedReceipts: new AwaitedReceiptTable(database),
    carrierCursors: new CarrierCursorTable(database),
    timeline: new TimelineTable(database),
    idempotency,
    webhooks: new WebhookTable(database, orm),
    outbox: new OutboxTable(database),
    lines: new LineTable(orm),
    inbound: new InboundTable(database, listeners.inbound),
    inboundParts: new InboundPartTable(database),
    inboundRepeats: new InboundRepeatTable(database),
    inboundSearch: new InboundSearchTable(orm),
    deliveryLog: new DeliveryLogTable(database),
    eventRetention: new EventRetentionTable(database),
    stagedRuns: new StagedRunTable(database, hidden),
    groups: new GroupTable(orm),
    groupMembers: new GroupMemberTable(database),
    patterns: new PatternTable(orm),
    approvals: new ApprovalTable(orm),
    otpSends: new OtpSendTable(database),
    hashKeys: new HashKeyTable(orm),
    otpRanges,
    wallClock: new WallClockTable(database),
    alertState: new AlertStateTable(orm),
    audit: new AuditTable(orm),
    users: new UserTable(orm),
    sessions: new SessionTable(orm),
    suppression: new SuppressionTable(database),
    recipientData: new RecipientDataTable(database, hidden),
    accountRetention: new AccountRetentionTable(database, new RecipientEvents(database), remover),
  };
}

function openMoneyTables(database: Database, orm: Drizzle) {
  const currency = new CurrencyTable(database);
  const ledger = new LedgerTable(database, currency);
  const priceLists = new PriceListTable(database, orm, currency);
  return { currency, priceLists, ledger, charges: new ChargeTable(database, ledger) };
}

/** Hardly any installation uses them: they prepare nothing before they are. */
const credentialTables = (database: Database, orm: Drizzle, commits: GroupCommit) => ({
  credentials: new CredentialTable(orm),
  credentialDeliveries: new CredentialDeliveryTable(database),
  smppSubmits: new SmppSubmitTable(database, (gathered) => commits.gather(gathered)),
  smppAssemblies: new SmppAssemblyTable(database),
});

export interface Store {
  /**
   * Runs `change` in the next transaction and resolves with its result once that is on disk. It may run twice:
   * no effect outside the database. Rejects with what `change` threw, or with StoreUnavailable when the disk refused.
   */
  write<T>(change: (tables: Tables) => T): Promise<T>;
  /**
   * The same for the hot path: `change` appends messages and requests, and reads no other table that knows of them. Resolves with
   * what `committed` makes of the result: an `async` caller in its place took 0.1 µs more.
   */
  append<T, Told>(change: (tables: Tables) => T, committed: (result: T) => Told): Promise<Told>;
  readonly tables: Tables;
  /** Of the database file. */
  readonly path: string;
  /** From now on `listener` runs inside every transaction that changes a public status, and may write in it. */
  onStatus(listener: StatusListener): void;
  /** From now on `listener` runs inside every transaction that makes an inbound message available, and may write in it. */
  onInbound(listener: InboundListener): void;
  /** Secrets that only the right key opens, at most one of each kind. */
  sealedSecrets(): Uint8Array[];
  /** Whether a new key would leave something unreadable. It may take a second: to be asked only where the key is missing. */
  holdsSealed(): boolean;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /**
   * Writes the database's file anew, without what `wipeFreeSpace` overwrites. The service stands still meanwhile, about a second for
   * 100 MB. Throws StoreUnavailable.
   */
  rewrite(): void;
  /** Empties the log, so that nothing that was erased stays in it; false while somebody reads what is only there. */
  emptyLog(): boolean;
  /**
   * Overwrites a slice of the free space inside the file's pages, which count from 1: copies of rows that SQLite moved are there.
   * Returns where to go on, null at the end; `busy` while somebody reads the log, and `unknown` for a file that only `rewrite` can
   * clean. Throws StoreUnavailable.
   */
  wipeFreeSpace(firstPage: number): number | null | "busy" | "unknown";
  /** Commits what is pending and closes the file; after a failed sync it stays open, as closing would write (see `exitAtOnce`). */
  close(): void;
}

export interface StoreOptions extends Omit<GroupCommitOptions, "checkpointer" | "log"> {
  folder: string;
  /** Epoch milliseconds, for what opening itself writes. */
  now: number;
  observer?: GroupCommitObserver;
  migrations?: readonly Migration[];
  /** Told of each step of an upgrade before it begins: at ten million messages some take half a minute. */
  applying?: (migration: Migration) => void;
}

const noObserver: GroupCommitObserver = { committed: () => {} };

export function openStore({ folder, now, observer = noObserver, migrations, applying, ...told }: StoreOptions): Store {
  const opened = openDatabase(folder, now, migrations, applying);
  const listeners: Listeners = { status: [], inbound: [] };
  const checkpointer = new Checkpointer(opened.database, folder);
  const freeSpace = new FreeSpace(opened.database, opened.path);
  const commits = new GroupCommit(opened.database, observer, { checkpointer, log: opened.log, ...told });
  const tables = openTables(opened.database, listeners, commits);
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
        return freeSpace.isKnown ? freeSpace.wipe(firstPage) : "unknown";
      } catch (reason) {
        throw new StoreUnavailable(reason);
      }
    },
    close() {
      if (!commits.close()) return;
      opened.close();
      freeSpace.close();
    },
  };
}
