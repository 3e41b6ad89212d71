/** Long messages that customers send by SMPP in segments: incomplete ones and, for a while, those that are complete. */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { smppAssembly, smppSegment } from "./schema.ts";
import { type IncompleteMax, SmppIncompleteCounts } from "./smpp-incomplete.ts";

export type SmppAssemblyRow = typeof smppAssembly.$inferSelect;
export type NewSmppAssembly = Omit<SmppAssemblyRow, "id" | "state">;

/** Segments with the same key belong together. */
export type SmppAssemblyKey = Pick<
  SmppAssemblyRow,
  "credentialId" | "sender" | "recipient" | "reference" | "partCount"
>;

/** Segments removed in one transaction: a few milliseconds. */
const removedSegmentsMax = 1_000;

const columns = columnsOf(smppAssembly);
const segmentColumns = columnsOf(smppSegment);

export type SmppSegmentRow = RowOf<typeof segmentColumns>;

/**
 * Of the assemblies with one key (parameters 1 to 5) in one state. Older ones are not looked at: a customer who sends
 * thousands under one reference would make each of them read all.
 */
const newestOf = (state: SmppAssemblyRow["state"]) =>
  `SELECT * FROM smpp_assembly WHERE state = ${state} AND credential_id = ?1 AND recipient = ?2 AND reference = ?3
     AND sender = ?4 AND part_count = ?5 ORDER BY id DESC LIMIT 16`;

const prepare = (database: Database) => ({
  lacking: database.prepare<SmppAssemblyRow, [number, string, number, string, number, number]>(
    // If a reference was reused before its first message was complete, the newest is likelier: segments travel
    // together.
    `SELECT ${columns} FROM (${newestOf(0)}) AS smpp_assembly
     WHERE NOT EXISTS (SELECT 1 FROM smpp_segment WHERE assembly_id = smpp_assembly.id AND number = ?6)
     ORDER BY id DESC LIMIT 1`,
  ),
  repeated: database.prepare<
    { submitId: number },
    [number, string, number, string, number, number, Uint8Array, number]
  >(
    `SELECT submit_id AS submitId
     FROM (SELECT * FROM (${newestOf(0)}) UNION ALL SELECT * FROM (${newestOf(1)})) AS smpp_assembly
     JOIN smpp_segment ON assembly_id = smpp_assembly.id AND number = ?6
     WHERE digest = ?7 AND opened_at > ?8 ORDER BY smpp_assembly.id DESC LIMIT 1`,
  ),
  insert: database.prepare<{ id: number }, (string | number | null)[]>(
    `${insertInto(
      smppAssembly,
      "credentialId",
      "accountId",
      "apiKeyId",
      "sender",
      "recipient",
      "reference",
      "partCount",
      "trackingCode",
      "sendAt",
      "validityMs",
      "openedAt",
    )} RETURNING id`,
  ),
  insertSegment: database.prepare(
    insertInto(smppSegment, "assemblyId", "number", "submitId", "digest", "text", "parts", "price", "createdAt"),
  ),
  byId: database.prepare<SmppAssemblyRow, [number]>(`SELECT ${columns} FROM smpp_assembly WHERE id = ?`),
  segments: database.prepare<SmppSegmentRow, [number]>(
    `SELECT ${segmentColumns} FROM smpp_segment WHERE assembly_id = ? ORDER BY number`,
  ),
  received: database.prepare<{ segments: number; characters: number }, [number]>(
    `SELECT count(*) AS segments, coalesce(sum(length(text)), 0) / 2 AS characters
     FROM smpp_segment WHERE assembly_id = ?`,
  ),
  ofSubmit: database.prepare<SmppAssemblyRow, [number]>(
    `SELECT ${columns} FROM smpp_segment JOIN smpp_assembly ON smpp_assembly.id = assembly_id WHERE submit_id = ?`,
  ),
  setState: database.prepare("UPDATE smpp_assembly SET state = ?2 WHERE id = ?1"),
  removeTexts: database.prepare("UPDATE smpp_segment SET text = NULL WHERE assembly_id = ?"),
  openedThrough: database.prepare<SmppAssemblyRow, [number, number]>(
    `SELECT ${columns} FROM smpp_assembly WHERE opened_at <= ? AND state = 0 ORDER BY opened_at LIMIT ?`,
  ),
  firstOpened: database.prepare<{ openedAt: number | null }, []>(
    "SELECT min(opened_at) AS openedAt FROM smpp_assembly WHERE state = 0",
  ),
  pullIn: database.prepare("UPDATE smpp_assembly SET opened_at = ?1 WHERE state IN (0, 1, 2) AND opened_at > ?1"),
  old: database.prepare<{ id: number }, [number, number, number]>(
    "SELECT id FROM smpp_assembly WHERE opened_at <= ? AND state = ? LIMIT ?",
  ),
  removeSegments: database.prepare("DELETE FROM smpp_segment WHERE assembly_id = ?"),
  remove: database.prepare("DELETE FROM smpp_assembly WHERE id = ?"),
});

export class SmppAssemblyTable {
  readonly #sql: () => ReturnType<typeof prepare>;
  readonly #incomplete: () => SmppIncompleteCounts;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
    this.#incomplete = onFirstUse(() => new SmppIncompleteCounts(database));
  }

  /** The assembly that still lacks this segment. */
  lacking({ credentialId, sender, recipient, reference, partCount }: SmppAssemblyKey, number: number) {
    return this.#sql().lacking.get(credentialId, recipient, reference, sender, partCount, number);
  }

  /** The submit that brought the same segment to an assembly opened after `since`; null if there is none. */
  repeated(key: SmppAssemblyKey, number: number, digest: Uint8Array, since: number): number | null {
    const { credentialId, sender, recipient, reference, partCount } = key;
    const { repeated } = this.#sql();
    const found = repeated.get(credentialId, recipient, reference, sender, partCount, number, digest, since);
    return found?.submitId ?? null;
  }

  /** Whose limit leaves no room for one more incomplete assembly; null if there is room. */
  fullFor(accountId: number, { credentialId, recipient }: SmppAssemblyKey, max: IncompleteMax) {
    return this.#incomplete().fullFor({ accountId, credentialId }, recipient, max);
  }

  byId(id: number): SmppAssemblyRow | null {
    return this.#sql().byId.get(id);
  }

  /** How many segments it has, and the UTF-16 units in them. */
  received(assemblyId: number): { segments: number; characters: number } {
    return this.#sql().received.get(assemblyId) ?? { segments: 0, characters: 0 };
  }

  /** In segment order. */
  segments(assemblyId: number): SmppSegmentRow[] {
    return this.#sql().segments.all(assemblyId);
  }

  ofSubmit(submitId: number): SmppAssemblyRow | null {
    return this.#sql().ofSubmit.get(submitId);
  }

  /** Writes, like every method below. */
  open(row: NewSmppAssembly): SmppAssemblyRow {
    const { credentialId, accountId, apiKeyId, sender, recipient, reference, partCount } = row;
    const { trackingCode, sendAt, validityMs, openedAt } = row;
    const inserted = this.#sql().insert.get(
      credentialId,
      accountId,
      apiKeyId,
      sender,
      recipient,
      reference,
      partCount,
      trackingCode,
      sendAt,
      validityMs,
      openedAt,
    );
    if (inserted === null) throw new Error("An assembly was not inserted");
    this.#incomplete().add(row, 1);
    return { ...row, id: inserted.id, state: 0 };
  }

  add({ assemblyId, number, submitId, digest, text, parts, price, createdAt }: SmppSegmentRow): void {
    this.#sql().insertSegment.run(assemblyId, number, submitId, digest, text, parts, price, createdAt);
  }

  /** It is complete, or never will be: its texts are removed. */
  end(assembly: SmppAssemblyRow, state: "whole" | "incomplete"): void {
    this.#sql().removeTexts.run(assembly.id);
    this.#sql().setState.run(assembly.id, state === "whole" ? 1 : 2);
    this.#incomplete().add(assembly, -1);
  }

  /** Incomplete assemblies that were opened up to `latest`. */
  openedThrough(latest: number, limit: number): SmppAssemblyRow[] {
    return this.#sql().openedThrough.all(latest, limit);
  }

  /** When the oldest incomplete assembly was opened; null if there is none. */
  firstOpenedAt(): number | null {
    return this.#sql().firstOpened.get()?.openedAt ?? null;
  }

  /** An assembly opened later than now was opened before the wall clock went back. */
  pullIn(now: number): void {
    this.#sql().pullIn.run(now);
  }

  /**
   * Removes up to `limit` assemblies in this state, opened up to `latest`, and fewer where they have many segments. True
   * if there may be more.
   */
  prune(state: "whole" | "incomplete", latest: number, limit: number): boolean {
    const rows = this.#sql().old.all(latest, state === "whole" ? 1 : 2, limit);
    let removed = 0;
    for (const { id } of rows) {
      if (removed >= removedSegmentsMax) return true;
      removed += this.remove(id);
    }
    return rows.length === limit;
  }

  /** It must have ended. Returns the number of its segments. */
  remove(id: number): number {
    const { changes } = this.#sql().removeSegments.run(id);
    this.#sql().remove.run(id);
    return changes;
  }
}
