/** Retention for accounts whose messages, or only the texts of them, are kept for less time than the default. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import type { MessageRemover } from "./message-remover.ts";
import type { StubPeriod } from "./message-stubs.ts";
import type { RecipientEvents } from "./recipient-events.ts";
import { isForgettable } from "./retention.ts";
import { message } from "./schema.ts";

const columns = columnsOf(message, "id", "accountId", "trackingCode", "state", "submittedAt", "sendAt", "updatedAt");
type KeptMessage = RowOf<typeof columns>;

/** `whole`: delete the messages of these accounts. `texts`: delete only their texts. */
export interface KeptFor {
  kind: "whole" | "texts";
  accountIds: ReadonlySet<number>;
  /** Epoch milliseconds: anything older is deleted. */
  before: number;
  stubs: StubPeriod;
}

const prepare = (database: Database) => ({
  oldest: database.prepare<KeptMessage, [number, number]>(
    `SELECT ${columns} FROM message WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  removeText: database.prepare("UPDATE message SET text = '' WHERE id = ?"),
  inbound: database.prepare<{ id: number; trackingCode: string; availableAt: number }, [number, number]>(
    `SELECT id, tracking_code AS trackingCode, available_at AS availableAt FROM inbound
     WHERE account_id = ? ORDER BY position LIMIT ?`,
  ),
  inboundTexts: database.prepare<{ id: number; trackingCode: string; availableAt: number }, [number, number]>(
    `SELECT id, tracking_code AS trackingCode, available_at AS availableAt FROM inbound
     WHERE account_id = ? AND (text <> '' OR octets IS NOT NULL) ORDER BY position LIMIT ?`,
  ),
  removeInbound: database.prepare("DELETE FROM inbound WHERE id = ?"),
  removeInboundText: database.prepare("UPDATE inbound SET text = '', octets = NULL WHERE id = ?"),
});

export class AccountRetentionTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #events: RecipientEvents;
  readonly #messages: MessageRemover;

  constructor(database: Database, events: RecipientEvents, messages: MessageRemover) {
    this.#sql = prepare(database);
    this.#events = events;
    this.#messages = messages;
  }

  /** Checks the next `limit` messages after `afterId`. Returns where to continue, or null when the rest are younger. */
  prune({ kind, accountIds, before, stubs }: KeptFor, afterId: number, limit: number, now: number) {
    const rows = this.#sql.oldest.all(afterId, limit);
    const aged = rows.filter((row) => row.submittedAt < before);
    const wanted = aged.filter((row) => accountIds.has(row.accountId) && isForgettable(row, before));
    if (kind === "texts") for (const { id } of wanted) this.#sql.removeText.run(id);
    else this.#remove(wanted, stubs, now);
    const more = rows.length === limit && aged.length === rows.length;
    return {
      nextId: more ? (rows.at(-1)?.id ?? null) : null,
      lookedTo: aged.at(-1)?.id ?? afterId,
      count: wanted.length,
    };
  }

  /** Does the same for the account's inbound messages, oldest first. Returns the number removed, at most `limit`. */
  pruneInbound(accountId: number, kind: KeptFor["kind"], before: number, limit: number, now: number): number {
    const oldest = kind === "whole" ? this.#sql.inbound : this.#sql.inboundTexts;
    const aged = oldest.all(accountId, limit).filter(({ availableAt }) => availableAt < before);
    for (const { id, trackingCode } of aged) {
      this.#events.erase(trackingCode, now);
      if (kind === "whole") this.#sql.removeInbound.run(id);
      else this.#sql.removeInboundText.run(id);
    }
    return aged.length;
  }

  #remove(messages: readonly KeptMessage[], stubs: StubPeriod, now: number): void {
    for (const { trackingCode } of messages) this.#events.erase(trackingCode, now);
    this.#messages.remove(
      messages.map(({ id }) => id),
      stubs,
    );
  }
}
