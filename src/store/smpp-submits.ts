/** Submits received from customers by SMPP: the message each led to, and what the customer wants to be told. */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { AppendedRows } from "./appended-rows.ts";
import { columnsOf, insertRowsInto, type RowOf } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { smppSubmit } from "./schema.ts";

const columns = columnsOf(smppSubmit);

export type SmppSubmitRow = RowOf<typeof columns>;
export type NewSmppSubmit = Omit<SmppSubmitRow, "id" | "endState">;

const insertedKeys = [
  "id",
  "credentialId",
  "messageId",
  "code",
  "registeredDelivery",
  "repeatKey",
  "payloadHash",
  "createdAt",
] as const;

const prepare = (database: Database) => ({
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM smpp_submit"),
  byId: database.prepare<SmppSubmitRow, [number]>(`SELECT ${columns} FROM smpp_submit WHERE id = ?`),
  byCode: database.prepare<SmppSubmitRow, [string]>(`SELECT ${columns} FROM smpp_submit WHERE code = ?`),
  ofMessage: database.prepare<SmppSubmitRow, [number]>(
    `SELECT ${columns} FROM smpp_submit WHERE message_id = ? ORDER BY id`,
  ),
  byRepeat: database.prepare<SmppSubmitRow, [Uint8Array, number, number]>(
    `SELECT ${columns} FROM smpp_submit WHERE repeat_key = ? AND created_at > ? AND end_state IS NOT ? ORDER BY id LIMIT 1`,
  ),
  join: database.prepare("UPDATE smpp_submit SET message_id = ?2 WHERE id = ?1"),
  end: database.prepare("UPDATE smpp_submit SET end_state = ?2 WHERE id = ?1"),
  oldest: database.prepare<{ id: number; createdAt: number; isKept: number }, [number, number]>(
    `SELECT smpp_submit.id, smpp_submit.created_at AS createdAt, message.id IS NOT NULL OR message_stub.message_id IS NOT NULL AS isKept FROM smpp_submit
     LEFT JOIN message ON message.id = smpp_submit.message_id
     LEFT JOIN message_stub ON message_stub.message_id = smpp_submit.message_id WHERE smpp_submit.id > ? ORDER BY smpp_submit.id LIMIT ?`,
  ),
  remove: database.prepare("DELETE FROM smpp_submit WHERE id = ?"),
});

export class SmppSubmitTable {
  readonly #database: Database;
  readonly #gather: (gathered: GatheredWrites) => void;
  /** Prepared on first use: few installations need it. */
  readonly #sql: () => ReturnType<typeof prepare>;
  #appendedRows: AppendedRows | null = null;
  #isUsed: boolean | null = null;
  #lastId = 0;
  /** Keys of rows that are not in the table yet. */
  readonly #freshRepeats = new Set<string>();

  constructor(database: Database, gather: (gathered: GatheredWrites) => void) {
    this.#database = database;
    this.#sql = onFirstUse(() => prepare(database));
    this.#gather = gather;
  }

  get #appended(): AppendedRows {
    if (this.#appendedRows === null) {
      this.#appendedRows = new AppendedRows(this.#database, insertedKeys.length, (rows) =>
        insertRowsInto(smppSubmit, insertedKeys, rows),
      );
      this.#gather(this.#appendedRows);
    }
    return this.#appendedRows;
  }

  /** True if any submit is stored; checked at every status change. */
  get isUsed(): boolean {
    this.#isUsed ??= this.#database.query("SELECT 1 FROM smpp_submit LIMIT 1").get() !== null;
    return this.#isUsed;
  }

  /** Also callable in `Store.append`: the row is inserted with the others of the commit. Returns its id. */
  append(row: NewSmppSubmit): number {
    this.#isUsed = true;
    const appended = this.#appended;
    if (appended.isEmpty) {
      this.#lastId = Math.max(this.#lastId, this.#sql().newest.get()?.id ?? 0);
      if (this.#freshRepeats.size > 0) this.#freshRepeats.clear();
    }
    this.#lastId += 1;
    const { credentialId, messageId, code, registeredDelivery, repeatKey, payloadHash, createdAt } = row;
    appended.add([this.#lastId, credentialId, messageId, code, registeredDelivery, repeatKey, payloadHash, createdAt]);
    if (repeatKey !== null) this.#freshRepeats.add(hexOf(repeatKey));
    return this.#lastId;
  }

  byId(id: number): SmppSubmitRow | null {
    this.#appendedRows?.flush();
    return this.#sql().byId.get(id);
  }

  byCode(code: string): SmppSubmitRow | null {
    this.#appendedRows?.flush();
    return this.#sql().byCode.get(code);
  }

  /** One row per segment. */
  ofMessage(messageId: number): SmppSubmitRow[] {
    this.#appendedRows?.flush();
    return this.#sql().ofMessage.all(messageId);
  }

  /** The first submit with this key accepted after `since`, unless its message never came whole: that was not sent. */
  byRepeat(repeatKey: Uint8Array, since: number): SmppSubmitRow | null {
    if (this.#appendedRows?.isEmpty === false && this.#freshRepeats.has(hexOf(repeatKey))) this.#appendedRows.flush();
    return this.#sql().byRepeat.get(repeatKey, since, expiredState);
  }

  /** All segments have arrived. Writes, like every method below. */
  join(id: number, messageId: number): void {
    this.#appendedRows?.flush();
    this.#sql().join.run(id, messageId);
  }

  /** The segment's message will never be created. */
  end(id: number, state: number): void {
    this.#appendedRows?.flush();
    this.#sql().end.run(id, state);
  }

  /**
   * Of the next `limit` after `afterId`, removes those from before `before` whose message and stub are gone. Returns where to
   * continue, or null when the rest are younger.
   */
  prune(afterId: number, before: number, limit: number): number | null {
    const rows = this.#sql().oldest.all(afterId, limit);
    const aged = rows.filter(({ createdAt }) => createdAt < before);
    // The newest stays: its id must not be reused.
    const newest = this.#sql().newest.get()?.id;
    for (const { id } of aged.filter(({ id, isKept }) => isKept === 0 && id !== newest)) this.#sql().remove.run(id);
    return rows.length === limit && aged.length === rows.length ? (rows.at(-1)?.id ?? null) : null;
  }
}

/** SMPP 3.4 §5.2.28 */
const expiredState = 3;

const hexOf = (octets: Uint8Array): string =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("hex");
