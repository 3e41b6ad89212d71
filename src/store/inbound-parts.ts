/** Long inbound messages that still lack parts, and the parts received so far. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { inboundAssembly, inboundPart } from "./schema.ts";

/**
 * `trackingCode`: of the future message. `receivedAt`: when the first part arrived, in epoch milliseconds. `openedAt`:
 * the start of its timeout, by a clock that does not jump while Peyk runs.
 */
export type AssemblyRow = typeof inboundAssembly.$inferSelect;

export type NewAssembly = Omit<AssemblyRow, "id">;

/** Parts with the same key belong together. */
export type AssemblyKey = Pick<AssemblyRow, "routeId" | "sender" | "receiver" | "reference" | "partCount">;

/** `content`: UTF-16 (little-endian), or raw bytes if `isBinary`. */
export type StoredPart = Omit<typeof inboundPart.$inferSelect, "assemblyId">;

const columns = columnsOf(inboundAssembly);
const partColumns = columnsOf(inboundPart, "number", "content", "isBinary");

const prepare = (database: Database) => ({
  lacking: database.prepare<AssemblyRow, [number, string, string, number, number, number]>(
    // If a reference was reused before its first message was complete, the newest is likelier: parts travel together.
    // Older ones are not looked at: a phone that sends thousands under one reference would make each of them read all.
    `SELECT ${columns} FROM (
       SELECT * FROM inbound_assembly
       WHERE route_id = ?1 AND sender = ?2 AND receiver = ?3 AND reference = ?4 AND part_count = ?5
       ORDER BY id DESC LIMIT 16) AS inbound_assembly
     WHERE NOT EXISTS (SELECT 1 FROM inbound_part WHERE assembly_id = inbound_assembly.id AND number = ?6)
     ORDER BY id DESC LIMIT 1`,
  ),
  insert: database.prepare(
    insertInto(
      inboundAssembly,
      "trackingCode",
      "routeId",
      "sender",
      "receiver",
      "reference",
      "partCount",
      "receivedAt",
      "openedAt",
    ),
  ),
  insertPart: database.prepare(insertInto(inboundPart, "assemblyId", "number", "content", "isBinary")),
  partsOf: database.prepare<RowOf<typeof partColumns>, [number]>(
    `SELECT ${partColumns} FROM inbound_part WHERE assembly_id = ? ORDER BY number`,
  ),
  countOf: database.prepare<{ parts: number }, [number]>(
    "SELECT count(*) AS parts FROM inbound_part WHERE assembly_id = ?",
  ),
  // Those with the lowest references rather than the oldest, should there be more.
  openOfPhone: database.prepare<AssemblyRow, [number, string, string, number]>(
    `SELECT * FROM (SELECT ${columns} FROM inbound_assembly WHERE route_id = ? AND sender = ? AND receiver = ? LIMIT ?)
     ORDER BY id`,
  ),
  countOfPhone: database.prepare<{ open: number }, [number, string, string, number]>(
    `SELECT count(*) AS open FROM (
       SELECT 1 FROM inbound_assembly WHERE route_id = ? AND sender = ? AND receiver = ? LIMIT ?)`,
  ),
  removeParts: database.prepare("DELETE FROM inbound_part WHERE assembly_id = ?"),
  remove: database.prepare("DELETE FROM inbound_assembly WHERE id = ?"),
  openedThrough: database.prepare<AssemblyRow, [number, number]>(
    `SELECT ${columns} FROM inbound_assembly WHERE opened_at <= ? ORDER BY opened_at, id LIMIT ?`,
  ),
  firstOpened: database.prepare<{ openedAt: number | null }, []>(
    "SELECT min(opened_at) AS openedAt FROM inbound_assembly",
  ),
  pullIn: database.prepare("UPDATE inbound_assembly SET opened_at = ?1 WHERE opened_at > ?1"),
  count: database.prepare<{ open: number }, []>("SELECT count(*) AS open FROM inbound_assembly"),
});

export class InboundPartTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** The assembly that still lacks this part. */
  lacking({ routeId, sender, receiver, reference, partCount }: AssemblyKey, part: number): AssemblyRow | null {
    return this.#sql.lacking.get(routeId, sender, receiver, reference, partCount, part);
  }

  open(row: NewAssembly): AssemblyRow {
    const { trackingCode, routeId, sender, receiver, reference, partCount, receivedAt, openedAt } = row;
    const { insert } = this.#sql;
    const inserted = insert.run(trackingCode, routeId, sender, receiver, reference, partCount, receivedAt, openedAt);
    return { ...row, id: Number(inserted.lastInsertRowid) };
  }

  add(assemblyId: number, { number, content, isBinary }: StoredPart): void {
    this.#sql.insertPart.run(assemblyId, number, content, Number(isBinary));
  }

  /** In part order. */
  partsOf(assemblyId: number): StoredPart[] {
    return this.#sql.partsOf.all(assemblyId).map((part) => ({ ...part, isBinary: part.isBinary === 1 }));
  }

  countOf(assemblyId: number): number {
    return this.#sql.countOf.get(assemblyId)?.parts ?? 0;
  }

  /** The oldest assembly of this phone to this line, if it has more than `max`. */
  excessOfPhone({ routeId, sender, receiver }: AssemblyKey, max: number): AssemblyRow | null {
    const { countOfPhone, openOfPhone } = this.#sql;
    const open = countOfPhone.get(routeId, sender, receiver, max + 1)?.open ?? 0;
    return open > max ? openOfPhone.get(routeId, sender, receiver, max + 1) : null;
  }

  /** Removes the assembly and its parts: they have become a message. */
  close(assemblyId: number): void {
    this.#sql.removeParts.run(assemblyId);
    this.#sql.remove.run(assemblyId);
  }

  openedThrough(latest: number, limit: number): AssemblyRow[] {
    return this.#sql.openedThrough.all(latest, limit);
  }

  /** When the longest-waiting assembly was opened; null if none waits. */
  firstOpenedAt(): number | null {
    return this.#sql.firstOpened.get()?.openedAt ?? null;
  }

  /** An assembly opened later than now was opened before the wall clock went back. */
  pullIn(now: number): void {
    this.#sql.pullIn.run(now);
  }

  openCount(): number {
    return this.#sql.count.get()?.open ?? 0;
  }
}
