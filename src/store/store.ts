/** The store: one SQLite file, one connection, group commit for every write, a table family for every subject. */
import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { accountTable } from "./accounts.ts";
import { approvalTable } from "./approvals.ts";
import { openDatabase } from "./database.ts";
import { deliveryLogTable } from "./delivery-log.ts";
import type { Drizzle } from "./drizzle.ts";
import { eventRetentionTable } from "./event-retention.ts";
import { type GroupCommit, type GroupCommitObserver, groupCommit } from "./group-commit.ts";
import { groupMemberTable } from "./group-members.ts";
import { groupTable } from "./groups.ts";
import { idempotencyTable } from "./idempotency.ts";
import { type InboundListener, inboundTable } from "./inbound.ts";
import { inboundPartTable } from "./inbound-parts.ts";
import { inboundSearchTable } from "./inbound-search.ts";
import { keyTable } from "./keys.ts";
import { lineTable } from "./lines.ts";
import { messageSearchTable } from "./message-search.ts";
import { messageTable, type StatusListener } from "./messages.ts";
import type { Migration } from "./migrations.ts";
import { otpRangeTable } from "./otp-ranges.ts";
import { otpSendTable } from "./otp-sends.ts";
import { outboxTable } from "./outbox.ts";
import { partTable } from "./parts.ts";
import { patternTable } from "./patterns.ts";
import { queueTable } from "./queue.ts";
import { retentionTable } from "./retention.ts";
import { routeTable } from "./routes.ts";
import { holdsSealed, sealedSecretsIn } from "./sealed-samples.ts";
import { senderTable } from "./senders.ts";
import { HiddenRuns, stagedRunTable } from "./staged-runs.ts";
import { timelineTable } from "./timeline.ts";
import { webhookTable } from "./webhooks.ts";

/** Every family of tables. Their reads may be called at any time, their writes only inside `Store.write`. */
export type Tables = ReturnType<typeof tableFamilies>;

/** Who hears of what inside the transactions. */
interface Listeners {
  status: StatusListener[];
  inbound: InboundListener[];
}

function tableFamilies(database: Database, drizzle: Drizzle, listeners: Listeners, commits: GroupCommit) {
  const hidden = new HiddenRuns();
  return {
    accounts: accountTable(drizzle),
    keys: keyTable(drizzle),
    senders: senderTable(drizzle),
    routes: routeTable(drizzle),
    messageSearch: messageSearchTable(drizzle, hidden),
    messages: messageTable(database, listeners.status, hidden),
    queue: queueTable(database),
    retention: retentionTable(database),
    parts: partTable(database),
    timeline: timelineTable(database),
    idempotency: idempotencyTable(database, { write: commits.write }),
    webhooks: webhookTable(database),
    outbox: outboxTable(database),
    lines: lineTable(drizzle),
    inbound: inboundTable(database, listeners.inbound),
    inboundParts: inboundPartTable(database),
    inboundSearch: inboundSearchTable(drizzle),
    deliveryLog: deliveryLogTable(database),
    eventRetention: eventRetentionTable(database),
    stagedRuns: stagedRunTable(database, hidden),
    groups: groupTable(drizzle),
    groupMembers: groupMemberTable(database),
    patterns: patternTable(drizzle),
    approvals: approvalTable(drizzle),
    otpSends: otpSendTable(database),
    otpRanges: otpRangeTable(database),
  };
}

export interface Store {
  /**
   * Runs `change` in the next transaction and resolves with its result once that is on disk. It may run twice:
   * no effect outside the database. Rejects with what `change` threw, or with StoreUnavailable when the disk refused.
   */
  write<T>(change: (tables: Tables) => T): Promise<T>;
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
  /** Commits what is pending and closes the file. */
  close(): void;
}

export interface StoreOptions {
  folder: string;
  /** Epoch milliseconds, for what opening itself writes. */
  now: number;
  observer?: GroupCommitObserver;
  migrations?: readonly Migration[];
}

const nobody: GroupCommitObserver = { committed: () => {} };

export function openStore({ folder, now, observer = nobody, migrations }: StoreOptions): Store {
  const opened = openDatabase(folder, now, migrations);
  const listeners: Listeners = { status: [], inbound: [] };
  const commits = groupCommit(opened.database, observer);
  const tables = tableFamilies(opened.database, drizzle(opened.database), listeners, commits);
  const touch = opened.database.prepare("UPDATE migration SET applied_at = applied_at WHERE number = 1");
  return {
    write: (change) => commits.write(() => change(tables)),
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
    close() {
      commits.close();
      opened.close();
    },
  };
}
