/**
 * Finds what the database holds about recipients by scanning, and erases it. It needs no index that would slow
 * acceptance.
 */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import type { HiddenRuns } from "./hidden-runs.ts";
import { type MessageRow, messageColumns } from "./messages.ts";
import { type RecipientEvent, RecipientEvents } from "./recipient-events.ts";
import { auditEntry, inbound, searchPage } from "./schema.ts";
import { runIds } from "./search-keys.ts";

/** A row that contains a phone number in E.164. */
export interface NamedRow {
  id: number;
  recipient: string;
}

/** Tables that are scanned by id. */
const walked = {
  message: "SELECT id, recipient FROM message WHERE id > ? AND id <= ?",
  inbound: "SELECT id, sender AS recipient FROM inbound WHERE id > ? AND id <= ?",
  inbound_assembly: "SELECT id, sender AS recipient FROM inbound_assembly WHERE id > ? AND id <= ?",
  smpp_assembly: "SELECT id, recipient FROM smpp_assembly WHERE id > ? AND id <= ?",
  otp_send: "SELECT message_id AS id, recipient FROM otp_send WHERE message_id > ? AND message_id <= ?",
} as const;
export type WalkedTable = keyof typeof walked;
export const walkedTables = [
  "message",
  "inbound",
  "inbound_assembly",
  "smpp_assembly",
  "otp_send",
] as const satisfies readonly WalkedTable[];

const pageColumns = columnsOf(searchPage, "id", "entries");
const inboundColumns = columnsOf(inbound, "trackingCode", "sender", "receiver", "text", "receivedAt");
const auditColumns = columnsOf(auditEntry, "id", "target", "before", "after");
export type RecipientInbound = RowOf<typeof inboundColumns>;
/** An audit entry; `before` and `after` are JSON. */
export interface AuditTexts {
  id: number;
  target: string;
  before: string | null;
  after: string | null;
}

const prepare = (database: Database) => ({
  walk: {
    message: database.prepare<NamedRow, [number, number]>(walked.message),
    inbound: database.prepare<NamedRow, [number, number]>(walked.inbound),
    inbound_assembly: database.prepare<NamedRow, [number, number]>(walked.inbound_assembly),
    smpp_assembly: database.prepare<NamedRow, [number, number]>(walked.smpp_assembly),
    otp_send: database.prepare<NamedRow, [number, number]>(walked.otp_send),
  },
  newest: {
    message: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM message"),
    inbound: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM inbound"),
    inbound_assembly: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM inbound_assembly"),
    smpp_assembly: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM smpp_assembly"),
    otp_send: database.prepare<{ id: number | null }, []>("SELECT max(message_id) AS id FROM otp_send"),
    request: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM request"),
  },
  message: database.prepare<MessageRow, [number]>(`SELECT ${messageColumns} FROM message WHERE id = ?`),
  blankMessage: database.prepare("UPDATE message SET recipient = '', text = '', client_reference = NULL WHERE id = ?"),
  removeTimeline: database.prepare("DELETE FROM timeline WHERE message_id = ?"),
  removeTlvs: database.prepare("DELETE FROM message_tlvs WHERE message_id = ?"),
  removeCallback: database.prepare("DELETE FROM message_callback WHERE message_id = ?"),
  removeOtpSend: database.prepare("DELETE FROM otp_send WHERE message_id = ?"),
  inbound: database.prepare<RecipientInbound, [number]>(`SELECT ${inboundColumns} FROM inbound WHERE id = ?`),
  removeInbound: database.prepare("DELETE FROM inbound WHERE id = ?"),
  removeInboundParts: database.prepare("DELETE FROM inbound_part WHERE assembly_id = ?"),
  removeAssembly: database.prepare("DELETE FROM inbound_assembly WHERE id = ?"),
  lists: database.prepare<{ id: number; memberCount: number }, []>(
    "SELECT id, member_count AS memberCount FROM member_list ORDER BY id",
  ),
  members: database.prepare<{ position: number; recipient: string }, [number, number, number]>(
    "SELECT position, recipient FROM group_member WHERE list_id = ? AND position >= ? AND position < ?",
  ),
  lastPosition: database.prepare<{ position: number | null }, [number]>(
    "SELECT max(position) AS position FROM group_member WHERE list_id = ?",
  ),
  removeMember: database.prepare("DELETE FROM group_member WHERE list_id = ? AND position = ?"),
  moveMember: database.prepare("UPDATE group_member SET position = ?3 WHERE list_id = ?1 AND position = ?2"),
  shortenList: database.prepare(
    "UPDATE member_list SET member_count = member_count - 1 WHERE id = ? AND member_count > 0",
  ),
  audit: database.prepare<AuditTexts, [number, number]>(
    `SELECT ${auditColumns} FROM audit_entry WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  setAudit: database.prepare("UPDATE audit_entry SET target = ?2, state_before = ?3, state_after = ?4 WHERE id = ?1"),
  forgetKeys: database.prepare(
    "UPDATE request SET key = 'erased ' || id WHERE id > ? AND id <= ? AND instr(key, ?) > 0",
  ),
  removeOrphans: database.prepare("DELETE FROM orphan_receipt WHERE instr(detail, ?) > 0"),
  runOf: database.prepare<{ id: number; firstMessageId: number }, [number]>(
    `SELECT id, first_message_id AS firstMessageId FROM search_run
     WHERE first_message_id <= ?1 AND last_message_id >= ?1`,
  ),
  pages: database.prepare<RowOf<typeof pageColumns>, [number]>(
    `SELECT ${pageColumns} FROM search_page WHERE run_id = ?`,
  ),
  setPage: database.prepare("UPDATE search_page SET first_entry = ?2, entries = ?3 WHERE id = ?1"),
  removePage: database.prepare("DELETE FROM search_page WHERE id = ?"),
  record: database.prepare(
    "INSERT INTO erasure (recipient_hash, erased_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at",
  ),
  isRecorded: database.prepare<{ erasedAt: number }, [Uint8Array]>(
    "SELECT erased_at AS erasedAt FROM erasure WHERE recipient_hash = ?",
  ),
});

export class RecipientDataTable {
  readonly #database: Database;
  readonly #hidden: HiddenRuns;
  /** Prepared on first use: few installations need it, and every start would wait for it. */
  readonly #sql: () => ReturnType<typeof prepare>;
  #recipientEvents: RecipientEvents | null = null;

  constructor(database: Database, hidden: HiddenRuns) {
    this.#database = database;
    this.#sql = onFirstUse(() => prepare(database));
    this.#hidden = hidden;
  }

  get #events(): RecipientEvents {
    this.#recipientEvents ??= new RecipientEvents(this.#database);
    return this.#recipientEvents;
  }

  /** The highest id of a table; 0 if it is empty. */
  newestId(table: WalkedTable | "request"): number {
    return this.#sql().newest[table].get()?.id ?? 0;
  }

  /** Rows with ids above `after`, up to and including `to`. */
  walk(table: WalkedTable, after: number, to: number): NamedRow[] {
    return this.#sql().walk[table].all(after, to);
  }

  /** Also null for a message of an unpublished run. */
  message(id: number): MessageRow | null {
    return this.#hidden.has(id) ? null : this.#sql().message.get(id);
  }

  eventsOf(trackingCode: string): RecipientEvent[] {
    return this.#events.of(trackingCode);
  }

  inboundMessage(id: number): RecipientInbound | null {
    return this.#sql().inbound.get(id);
  }

  /** Erases number, text and reference; everything that figures and charges count stays. */
  eraseMessage({ id, trackingCode }: MessageRow, at: number): void {
    this.#events.erase(trackingCode, at);
    this.#sql().removeTimeline.run(id);
    this.#sql().removeTlvs.run(id);
    this.#sql().removeCallback.run(id);
    this.#sql().blankMessage.run(id);
  }

  eraseInbound(id: number, at: number): void {
    const row = this.inboundMessage(id);
    if (row !== null) this.#events.erase(row.trackingCode, at);
    this.#sql().removeInbound.run(id);
  }

  eraseAssembly(id: number): void {
    this.#sql().removeInboundParts.run(id);
    this.#sql().removeAssembly.run(id);
  }

  /** Ends its challenge and resets the recipient's limits. */
  eraseOtpSend(messageId: number): void {
    this.#sql().removeOtpSend.run(messageId);
  }

  memberLists(): { id: number; memberCount: number }[] {
    return this.#sql().lists.all();
  }

  members(listId: number, from: number, to: number): { position: number; recipient: string }[] {
    return this.#sql().members.all(listId, from, to);
  }

  /** Moves the last member into the gap, since positions are contiguous. Call for the highest position first. */
  eraseMember(listId: number, position: number): void {
    const last = this.#sql().lastPosition.get(listId)?.position ?? position;
    this.#sql().removeMember.run(listId, position);
    if (last !== position) this.#sql().moveMember.run(listId, last, position);
    this.#sql().shortenList.run(listId);
  }

  /** Applies `change` to `limit` audit entries after `after`. Returns where to continue; null at the end. */
  changeAudit(after: number, limit: number, change: (entry: AuditTexts) => AuditTexts): number | null {
    const rows = this.#sql().audit.all(after, limit);
    for (const row of rows) {
      const next = change(row);
      const isSame = next.target === row.target && next.before === row.before && next.after === row.after;
      if (!isSame) this.#sql().setAudit.run(row.id, next.target, next.before, next.after);
    }
    return rows.length === limit ? (rows.at(-1)?.id ?? null) : null;
  }

  /** Removes the Idempotency-Keys that contain these digits. */
  forgetKeys(after: number, to: number, digits: string): number {
    return this.#sql().forgetKeys.run(after, to, digits).changes;
  }

  removeOrphans(digits: string): number {
    return this.#sql().removeOrphans.run(digits).changes;
  }

  /**
   * Removes messages from their run of the search index. All must be in one run, or in none yet. Returns the ids beyond
   * that run.
   */
  eraseFromSearch(messageIds: readonly number[]): readonly number[] {
    const [first] = messageIds;
    const run = first === undefined ? null : this.#sql().runOf.get(first);
    if (first === undefined || run === null) return messageIds.slice(1);
    const offsets = new Set(messageIds.map((id) => id - run.firstMessageId).filter((offset) => offset < runIds));
    for (const { id, entries } of this.#sql().pages.all(run.id)) {
      const before = new Float64Array(entries.slice().buffer);
      const kept = before.filter((entry) => !offsets.has(entry % runIds));
      if (kept.length === before.length) continue;
      if (kept.length === 0) this.#sql().removePage.run(id);
      else this.#sql().setPage.run(id, kept[0] ?? 0, new Uint8Array(kept.buffer));
    }
    return messageIds.filter((id) => id - run.firstMessageId >= runIds);
  }

  record(hash: Uint8Array, at: number): void {
    this.#sql().record.run(hash, at);
  }

  isRecorded(hash: Uint8Array): boolean {
    return this.#sql().isRecorded.get(hash) !== null;
  }
}
