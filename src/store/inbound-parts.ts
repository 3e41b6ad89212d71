/** Long inbound messages that are not whole yet, their parts, and the fingerprints by which a repeat is known. */
import type { Database } from "bun:sqlite";

/** Parts with the same key belong together. */
export interface AssemblyKey {
  routeId: number;
  sender: string;
  receiver: string;
  reference: number;
  partCount: number;
}

export interface NewAssembly extends AssemblyKey {
  /** The code that the message will have. */
  trackingCode: string;
  /** Of the part that came first, in epoch milliseconds. */
  receivedAt: number;
  /** When its time began to run. */
  openedAt: number;
}

export interface AssemblyRow extends NewAssembly {
  id: number;
}

export interface StoredPart {
  number: number;
  /** UTF-16, little-endian, or octets. */
  content: Uint8Array;
  isBinary: boolean;
}

const columns = `id, tracking_code AS trackingCode, route_id AS routeId, sender, receiver, reference,
  part_count AS partCount, received_at AS receivedAt, opened_at AS openedAt`;

export type InboundPartTable = ReturnType<typeof inboundPartTable>;

export function inboundPartTable(database: Database) {
  const roomFor = database.prepare<AssemblyRow, [number, string, string, number, number, number]>(
    // Where a reference came again before its first message was whole, the newest is the likely one: parts travel together.
    `SELECT ${columns} FROM inbound_assembly
     WHERE route_id = ?1 AND sender = ?2 AND receiver = ?3 AND reference = ?4 AND part_count = ?5
       AND NOT EXISTS (SELECT 1 FROM inbound_part WHERE assembly_id = inbound_assembly.id AND number = ?6)
     ORDER BY id DESC LIMIT 1`,
  );
  const insertAssembly = database.prepare(
    `INSERT INTO inbound_assembly (tracking_code, route_id, sender, receiver, reference, part_count, received_at, opened_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertPart = database.prepare(
    "INSERT INTO inbound_part (assembly_id, number, content, is_binary) VALUES (?, ?, ?, ?)",
  );
  const partsOf = database.prepare<{ number: number; content: Uint8Array; isBinary: number }, [number]>(
    "SELECT number, content, is_binary AS isBinary FROM inbound_part WHERE assembly_id = ? ORDER BY number",
  );
  const countOf = database.prepare<{ parts: number }, [number]>(
    "SELECT count(*) AS parts FROM inbound_part WHERE assembly_id = ?",
  );
  const removals = ["DELETE FROM inbound_part WHERE assembly_id = ?", "DELETE FROM inbound_assembly WHERE id = ?"].map(
    (sql) => database.prepare(sql),
  );
  const openedThrough = database.prepare<AssemblyRow, [number, number]>(
    `SELECT ${columns} FROM inbound_assembly WHERE opened_at <= ? ORDER BY opened_at, id LIMIT ?`,
  );
  const firstOpened = database.prepare<{ openedAt: number | null }, []>(
    "SELECT min(opened_at) AS openedAt FROM inbound_assembly",
  );
  const pullIn = database.prepare("UPDATE inbound_assembly SET opened_at = ?1 WHERE opened_at > ?1");
  const count = database.prepare<{ open: number }, []>("SELECT count(*) AS open FROM inbound_assembly");
  const seen = database.prepare<{ expiresAt: number }, [Uint8Array]>(
    "SELECT expires_at AS expiresAt FROM inbound_seen WHERE fingerprint = ?",
  );
  const remember = database.prepare(
    `INSERT INTO inbound_seen (fingerprint, expires_at) VALUES (?1, ?2)
     ON CONFLICT (fingerprint) DO UPDATE SET expires_at = max(expires_at, ?2)`,
  );
  const pruneSeen = database.prepare(
    "DELETE FROM inbound_seen WHERE fingerprint IN (SELECT fingerprint FROM inbound_seen WHERE expires_at <= ? LIMIT ?)",
  );

  return {
    /** The assembly that still lacks this part. */
    roomFor: (key: AssemblyKey, part: number): AssemblyRow | null =>
      roomFor.get(key.routeId, key.sender, key.receiver, key.reference, key.partCount, part),

    open(a: NewAssembly): AssemblyRow {
      const { trackingCode, routeId, sender, receiver, reference, partCount, receivedAt, openedAt } = a;
      const inserted = insertAssembly.run(
        trackingCode,
        routeId,
        sender,
        receiver,
        reference,
        partCount,
        receivedAt,
        openedAt,
      );
      return { ...a, id: Number(inserted.lastInsertRowid) };
    },

    add(assemblyId: number, { number, content, isBinary }: StoredPart): void {
      insertPart.run(assemblyId, number, content, isBinary ? 1 : 0);
    },

    /** In the order of their numbers. */
    partsOf: (assemblyId: number): StoredPart[] =>
      partsOf.all(assemblyId).map((part) => ({ ...part, isBinary: part.isBinary === 1 })),

    countOf: (assemblyId: number): number => countOf.get(assemblyId)?.parts ?? 0,

    /** Forgets the assembly and its parts: they are a message now. */
    close(assemblyId: number): void {
      for (const statement of removals) statement.run(assemblyId);
    },

    openedThrough: (latest: number, limit: number): AssemblyRow[] => openedThrough.all(latest, limit),

    /** When the one that waits longest was opened; null when none waits. */
    firstOpenedAt: (): number | null => firstOpened.get()?.openedAt ?? null,

    /** What was opened later than now was opened before the wall clock went back. */
    pullIn: (now: number): void => void pullIn.run(now),

    openCount: (): number => count.get()?.open ?? 0,

    isKnown: (fingerprint: Uint8Array, now: number): boolean => (seen.get(fingerprint)?.expiresAt ?? 0) > now,

    remember: (fingerprint: Uint8Array, expiresAt: number): void => void remember.run(fingerprint, expiresAt),

    pruneSeen: (now: number, limit: number): number => pruneSeen.run(now, limit).changes,
  };
}
