/** How many long messages of SMPP customers lack segments, and whose limit is reached. */
import type { Database } from "bun:sqlite";
import { insertInto } from "./columns.ts";
import { type smppAssembly, smppIncomplete } from "./schema.ts";

/** Whose incomplete messages are limited. Those to a recipient are counted for each credential. */
type IncompleteOf = "account" | "credential" | "recipient";

export type IncompleteMax = Readonly<Record<IncompleteOf, number>>;

type Owner = Pick<typeof smppAssembly.$inferSelect, "accountId" | "credentialId">;

/** Instead of a credential's id. */
const wholeAccount = 0;

const prepare = (database: Database) => ({
  messages: database.prepare<{ messages: number }, [number, number]>(
    "SELECT messages FROM smpp_incomplete WHERE account_id = ? AND credential_id = ?",
  ),
  toRecipient: database.prepare<{ messages: number }, [number, string, number]>(
    `SELECT count(*) AS messages FROM (
       SELECT 1 FROM smpp_assembly WHERE state = 0 AND credential_id = ?1 AND recipient = ?2 LIMIT ?3)`,
  ),
  add: database.prepare(
    `${insertInto(smppIncomplete, "accountId", "credentialId", "messages")}
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages`,
  ),
});

export class SmppIncompleteCounts {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Whose limit leaves no room for one more; null if there is room. */
  fullFor({ accountId, credentialId }: Owner, recipient: string, max: IncompleteMax): IncompleteOf | null {
    const { messages, toRecipient } = this.#sql;
    const countOf = (credential: number) => messages.get(accountId, credential)?.messages ?? 0;
    if (countOf(wholeAccount) >= max.account) return "account";
    if (countOf(credentialId) >= max.credential) return "credential";
    const many = toRecipient.get(credentialId, recipient, max.recipient)?.messages ?? 0;
    return many >= max.recipient ? "recipient" : null;
  }

  /** One was opened (1) or has ended (-1). Writes. */
  add({ accountId, credentialId }: Owner, difference: 1 | -1): void {
    for (const counted of [wholeAccount, credentialId]) this.#sql.add.run(accountId, counted, difference);
  }
}
