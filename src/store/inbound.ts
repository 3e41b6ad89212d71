/** Inbound messages, whole: kept from the moment they are, available once a line gives their receiver to an account. */
import type { Database } from "bun:sqlite";

/** Times are epoch milliseconds. */
export interface NewInbound {
  trackingCode: string;
  routeId: number;
  sender: string;
  receiver: string;
  /** Well-formed; empty where nothing of the message was text. */
  text: string;
  /** What came that is no text; null for a text. */
  octets: Uint8Array | null;
  partCount: number;
  /** Fewer than `partCount` where the rest did not come in time. */
  partsReceived: number;
  receivedAt: number;
}

export interface InboundRow extends NewInbound {
  id: number;
  /** Null, like the two below, until the message is available. */
  accountId: number | null;
  /** 1 for the first message that became available to the account, then counting up in the order of commits. */
  position: number | null;
  availableAt: number | null;
}

/** A message that an account can read. */
export interface AvailableInbound {
  accountId: number;
  position: number;
  trackingCode: string;
  sender: string;
  receiver: string;
  message: string;
  receivedAt: number;
}

/** Told of every message that becomes available, inside the transaction that makes it so. It may write, and nothing else. */
export type InboundListener = (inbound: AvailableInbound) => void;

/** Everything that is given must hold. */
export interface InboxFilter {
  sender: string | null;
  receiver: string | null;
  /** Of `receivedAt`, inclusive. */
  from: number | null;
  /** Of `receivedAt`, exclusive. */
  to: number | null;
}

const columns = `id, tracking_code AS trackingCode, route_id AS routeId, account_id AS accountId, position, sender, receiver,
  text, octets, part_count AS partCount, parts_received AS partsReceived, received_at AS receivedAt, available_at AS availableAt`;
const availableColumns = `account_id AS accountId, position, tracking_code AS trackingCode, sender, receiver, text AS message,
  received_at AS receivedAt`;

export type InboundTable = ReturnType<typeof inboundTable>;

export function inboundTable(database: Database, listeners: readonly InboundListener[]) {
  const insertion = database.prepare(
    `INSERT INTO inbound (tracking_code, route_id, sender, receiver, text, octets, part_count, parts_received, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const nextPosition = database.prepare<{ last: number }, [number]>(
    `INSERT INTO inbound_counter (account_id, last) VALUES (?, 1)
     ON CONFLICT (account_id) DO UPDATE SET last = last + 1 RETURNING last`,
  );
  const lastPosition = database.prepare<{ last: number }, [number]>(
    "SELECT last FROM inbound_counter WHERE account_id = ?",
  );
  const availability = database.prepare<AvailableInbound, [number, number, number, number]>(
    `UPDATE inbound SET account_id = ?2, position = ?3, available_at = ?4 WHERE id = ?1 AND account_id IS NULL
     RETURNING ${availableColumns}`,
  );
  const byCode = database.prepare<InboundRow, [string]>(`SELECT ${columns} FROM inbound WHERE tracking_code = ?`);
  const unmapped = database.prepare<{ id: number }, [string, number]>(
    "SELECT id FROM inbound WHERE account_id IS NULL AND receiver = ? ORDER BY id LIMIT ?",
  );
  const backlogs = database.prepare<{ number: string }, []>(
    "SELECT number FROM line WHERE EXISTS (SELECT 1 FROM inbound WHERE account_id IS NULL AND receiver = line.number)",
  );
  const nextAfter = database.prepare<{ position: number }, [number, number]>(
    "SELECT position FROM inbound WHERE account_id = ? AND position > ? ORDER BY position LIMIT 1",
  );
  const slice = database.prepare<
    AvailableInbound,
    [number, number, number, string | null, string | null, number | null, number | null, number]
  >(
    `SELECT ${availableColumns} FROM inbound WHERE account_id = ?1 AND position > ?2 AND position <= ?3
       AND (?4 IS NULL OR sender = ?4) AND (?5 IS NULL OR receiver = ?5)
       AND (?6 IS NULL OR received_at >= ?6) AND (?7 IS NULL OR received_at < ?7)
     ORDER BY position LIMIT ?8`,
  );
  const oldest = database.prepare<{ id: number; receivedAt: number; keptFrom: number }, [number, number]>(
    `SELECT id, received_at AS receivedAt, coalesce(available_at, received_at) AS keptFrom
     FROM inbound WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const removal = database.prepare("DELETE FROM inbound WHERE id = ?");

  /** Gives a message its place in the account's order. False where it had one already. */
  function makeAvailable(id: number, accountId: number, at: number): boolean {
    const position = nextPosition.get(accountId)?.last;
    if (position === undefined) throw new Error(`Account ${accountId} got no position for an inbound message`);
    const available = availability.get(id, accountId, position, at);
    if (available === null) return false;
    for (const listener of listeners) listener(available);
    return true;
  }

  return {
    /** Keeps a message; nobody can read it yet. Returns its row id. */
    insert(m: NewInbound): number {
      const inserted = insertion.run(
        m.trackingCode,
        m.routeId,
        m.sender,
        m.receiver,
        m.text,
        m.octets,
        m.partCount,
        m.partsReceived,
        m.receivedAt,
      );
      return Number(inserted.lastInsertRowid);
    },

    makeAvailable,

    byCode: (trackingCode: string): InboundRow | null => byCode.get(trackingCode),

    /** Ids of messages to this number that belong to nobody yet, oldest first. */
    unmapped: (receiver: string, limit: number): number[] => unmapped.all(receiver, limit).map(({ id }) => id),

    /** Lines with messages that came before the line was there, and are not available yet. */
    backlogs: (): string[] => backlogs.all().map(({ number }) => number),

    /** The account's highest position so far, also when its message is long forgotten; 0 for none. */
    lastPosition: (accountId: number): number => lastPosition.get(accountId)?.last ?? 0,

    /** The first position after this one that still has its message. */
    nextAfter: (accountId: number, position: number): number | null =>
      nextAfter.get(accountId, position)?.position ?? null,

    /** What matches among the positions after `after`, up to and including `through`, in their order. */
    slice(accountId: number, after: number, through: number, f: InboxFilter, limit: number): AvailableInbound[] {
      return slice.all(accountId, after, through, f.sender, f.receiver, f.from, f.to, limit);
    },

    /**
     * Looks at the next `limit` messages after `afterId` and removes those that are older than `before`, counted from when they
     * became available. Returns where to go on, or null when the rest is younger.
     */
    prune(afterId: number, before: number, limit: number): { nextId: number | null; removed: number } {
      const rows = oldest.all(afterId, limit);
      const gone = rows.filter((row) => row.keptFrom < before);
      for (const { id } of gone) removal.run(id);
      const more = rows.length === limit && rows.every((row) => row.receivedAt < before);
      return { nextId: more ? (rows.at(-1)?.id ?? null) : null, removed: gone.length };
    },
  };
}
