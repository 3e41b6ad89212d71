/**
 * Requests by the keys of their credentials, so that a repeat gets the same answer. A row commits with the messages it
 * names.
 */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { credentialRequest } from "./schema.ts";

const columns = columnsOf(
  credentialRequest,
  "credentialId",
  "keyHash",
  "payloadHash",
  "firstMessageId",
  "messageCount",
  "createdAt",
);

export type CredentialRequestRow = RowOf<typeof columns>;

const prepare = (database: Database) => ({
  insert: database.prepare(
    insertInto(
      credentialRequest,
      "credentialId",
      "keyHash",
      "payloadHash",
      "firstMessageId",
      "messageCount",
      "createdAt",
    ),
  ),
  newest: database.prepare<CredentialRequestRow, [Uint8Array, number]>(
    `SELECT ${columns} FROM credential_request WHERE key_hash = ? AND created_at > ? ORDER BY id DESC LIMIT 1`,
  ),
  any: database.prepare<{ id: number }, []>("SELECT id FROM credential_request LIMIT 1"),
  prune: database.prepare(
    `DELETE FROM credential_request WHERE id IN (
       SELECT id FROM (SELECT id, created_at FROM credential_request ORDER BY id LIMIT ?2) WHERE created_at < ?1)`,
  ),
});

export class CredentialRequestTable {
  /** Prepared on first use: few installations need it. */
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  /** Also callable in `Store.append`. */
  insert(row: CredentialRequestRow): void {
    const { credentialId, keyHash, payloadHash, firstMessageId, messageCount, createdAt } = row;
    this.#sql().insert.run(credentialId, keyHash, payloadHash, firstMessageId, messageCount, createdAt);
  }

  /** The newest request with this key accepted after `since`. */
  newest(keyHash: Uint8Array, since: number): CredentialRequestRow | null {
    return this.#sql().newest.get(keyHash, since);
  }

  /** True if any key of a credential is stored. */
  hasAny(): boolean {
    return this.#sql().any.get() !== null;
  }

  /** Of the oldest `limit`, removes those from before `before`. Returns the number removed. Writes. */
  prune(before: number, limit: number): number {
    return this.#sql().prune.run(before, limit).changes;
  }
}
