/** The patterns of messages whose text is registered under a template id, and of codes with further steps. */
import type { Database } from "bun:sqlite";
import { insertInto } from "./columns.ts";
import { messageTemplate } from "./schema.ts";

const prepare = (database: Database) => ({
  insert: database.prepare(`${insertInto(messageTemplate, "messageId", "patternId")} ON CONFLICT DO NOTHING`),
  idOf: database.prepare<{ templateId: string | null }, [number]>(
    `SELECT pattern.template_id AS templateId FROM message_template JOIN pattern ON pattern.id = message_template.pattern_id
     WHERE message_template.message_id = ?`,
  ),
  suspended: database.prepare(
    `SELECT 1 FROM message_template JOIN pattern ON pattern.id = message_template.pattern_id
     WHERE message_template.message_id = ? AND pattern.status = 'suspended'`,
  ),
  copy: database.prepare(
    "INSERT INTO message_template (message_id, pattern_id) SELECT ?2, pattern_id FROM message_template WHERE message_id = ?1",
  ),
});

export class MessageTemplateTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  insert(messageId: number, patternId: number): void {
    this.#sql.insert.run(messageId, patternId);
  }

  /** The pattern's current template id; null for a message without one. */
  idOf(messageId: number): string | null {
    return this.#sql.idOf.get(messageId)?.templateId ?? null;
  }

  /** True if nothing may be sent by its pattern any more. */
  isSuspended(messageId: number): boolean {
    return this.#sql.suspended.get(messageId) !== null;
  }

  /** A message that is sent again keeps its pattern. */
  copy(fromId: number, toId: number): void {
    this.#sql.copy.run(fromId, toId);
  }
}
