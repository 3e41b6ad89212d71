/** TLVs of customers' SMPP clients that a route passes on to its carrier. */
import type { Database } from "bun:sqlite";
import { insertInto } from "./columns.ts";
import { messageTlvs } from "./schema.ts";

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(messageTlvs, "messageId", "octets")),
  of: database.prepare<{ octets: Uint8Array }, [number]>("SELECT octets FROM message_tlvs WHERE message_id = ?"),
  copy: database.prepare(
    "INSERT INTO message_tlvs (message_id, octets) SELECT ?2, octets FROM message_tlvs WHERE message_id = ?1",
  ),
});

export class MessageTlvsTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  insert(messageId: number, octets: Uint8Array): void {
    this.#sql.insert.run(messageId, octets);
  }

  /** Null for a message without any. */
  of(messageId: number): Uint8Array | null {
    return this.#sql.of.get(messageId)?.octets ?? null;
  }

  /** A message that is sent again keeps them. */
  copy(fromId: number, toId: number): void {
    this.#sql.copy.run(fromId, toId);
  }
}
