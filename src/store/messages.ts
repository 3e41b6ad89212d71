/** The message table. Rows are stored, read and moved along the status graph only here. */
import type { Database } from "bun:sqlite";
import { type MessageErrorCode, type MessageState, messageClasses, type PublicStatus } from "../domain/message.ts";
import { networkSources } from "../domain/network-source.ts";
import { visibleText } from "../domain/sealed-text.ts";
import { canMove, isFinal, publicStatusOf } from "../domain/status.ts";
import { AppendedRows } from "./appended-rows.ts";
import type { ChargeTable } from "./charges.ts";
import { columnsOf, insertInto, insertRowsInto } from "./columns.ts";
import type { HiddenRuns } from "./hidden-runs.ts";
import { MessageStubTable, type RegisteredMessage, registeredRun } from "./message-stubs.ts";
import type { OtpStepTable } from "./otp-steps.ts";
import type { ReachedStatuses } from "./reached-statuses.ts";
import type { RollupTable } from "./rollups.ts";
import { message } from "./schema.ts";

/** Times are epoch milliseconds. */
export type MessageRow = typeof message.$inferSelect;

/** Terms of acceptance beyond the content. A missing field means unknown, none, or not a test. */
type Terms = Partial<
  Pick<MessageRow, "apiKeyId" | "targetId" | "priority" | "network" | "networkSource" | "price" | "isTest" | "dueAt">
>;

/** A message at acceptance. `sendAt` is null for one to send at once; `dueAt` is null if it is due at that time. */
export type NewMessage = Terms &
  Pick<
    MessageRow,
    | "trackingCode"
    | "accountId"
    | "senderId"
    | "class"
    | "sender"
    | "recipient"
    | "text"
    | "clientReference"
    | "encoding"
    | "characterCount"
    | "partCount"
    | "submittedAt"
    | "sendAt"
    | "validUntil"
  >;

/** A step along the status graph. Omitted fields stay as they were, except `dueAt`, which becomes null. */
export interface Move {
  to: MessageState;
  at: number;
  dueAt?: number;
  routeId?: number;
  attempts?: number;
  errorCode?: MessageErrorCode;
  partsDelivered?: number;
  uncertainAttempts?: number;
}

/**
 * Tells customers: called for every change of public status, inside its transaction. It may write, and must do nothing
 * else.
 */
export type StatusListener = (message: MessageRow, status: PublicStatus, at: number) => void;

/** A move that the status graph does not allow: a bug in the caller, never an answer to a user. */
export class IllegalMove extends Error {
  constructor(row: MessageRow, to: MessageState) {
    super(`Message ${row.trackingCode} cannot move from ${row.state} to ${to}`);
    this.name = "IllegalMove";
  }
}

export const messageColumns = columnsOf(message);

const insertedKeys = [
  "id",
  "trackingCode",
  "accountId",
  "senderId",
  "class",
  "state",
  "dueAt",
  "sender",
  "recipient",
  "text",
  "clientReference",
  "encoding",
  "characterCount",
  "partCount",
  "submittedAt",
  "sendAt",
  "validUntil",
  "updatedAt",
  "apiKeyId",
  "targetId",
  "priority",
  "network",
  "price",
  "isTest",
  "networkSource",
] as const;

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(message, ...insertedKeys)),
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM message"),
  byId: database.prepare<MessageRow, [number]>(`SELECT ${messageColumns} FROM message WHERE id = ?`),
  byCode: database.prepare<MessageRow, [string, number]>(
    `SELECT ${messageColumns} FROM message WHERE tracking_code = ? AND account_id = ?`,
  ),
  byCodeAnywhere: database.prepare<MessageRow, [string]>(
    `SELECT ${messageColumns} FROM message WHERE tracking_code = ?`,
  ),
  run: database.prepare<RegisteredMessage, [number, number]>(`${registeredRun} ORDER BY message.id`),
  move: database.prepare(
    `UPDATE message SET state = ?3, due_at = ?4, route_id = ?5, attempts = ?6, error_code = ?7, parts_delivered = ?8,
       processing_at = ?9, sent_at = ?10, final_at = ?11, updated_at = ?12,
       uncertain_attempts = ?13, cost = ?14
     WHERE id = ?1 AND state = ?2`,
  ),
  setPartsDelivered: database.prepare("UPDATE message SET parts_delivered = ?2 WHERE id = ?1"),
  setResentOf: database.prepare("UPDATE message SET resent_of = ?2 WHERE id = ?1"),
  setText: database.prepare("UPDATE message SET text = ?2 WHERE id = ?1"),
});

export interface MessageTableDeps {
  listeners: readonly StatusListener[];
  hidden: HiddenRuns;
  rollups: RollupTable;
  charges: ChargeTable;
  reached: ReachedStatuses;
  otpSteps: Pick<OtpStepTable, "moved" | "isFurther">;
}

export class MessageTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #listeners: readonly StatusListener[];
  readonly #hidden: HiddenRuns;
  readonly #rollups: RollupTable;
  readonly #charges: ChargeTable;
  readonly #reached: ReachedStatuses;
  readonly #otpSteps: MessageTableDeps["otpSteps"];
  /** What stays of deleted messages. */
  readonly stubs: MessageStubTable;
  /** Messages of the current transaction that are not in the table yet. */
  readonly appended: AppendedRows;
  #lastId = 0;

  constructor(database: Database, { listeners, hidden, rollups, charges, reached, otpSteps }: MessageTableDeps) {
    this.#sql = prepare(database);
    this.#listeners = listeners;
    this.#hidden = hidden;
    this.#rollups = rollups;
    this.#charges = charges;
    this.#reached = reached;
    this.#otpSteps = otpSteps;
    this.stubs = new MessageStubTable(database);
    this.appended = new AppendedRows(database, insertedKeys.length, (rows) =>
      insertRowsInto(message, insertedKeys, rows),
    );
  }

  /** True if any message is stored. */
  hasAny(): boolean {
    return this.#sql.newest.get()?.id != null;
  }

  /** Stores a new message as `ready` and returns its row id. Ids grow in the order of acceptance. */
  insert(row: NewMessage): number {
    this.#rollups.accepted(row);
    return this.#insert(row, dueAtOf(row), null);
  }

  /**
   * Like `insert`, for use in `Store.append`: the row is inserted with the others of the commit, or before anything
   * else uses the table.
   */
  append(row: NewMessage): number {
    this.#rollups.accepted(row);
    if (this.appended.isEmpty) this.#lastId = this.#sql.newest.get()?.id ?? 0;
    this.#lastId += 1;
    this.appended.add(valuesOf(this.#lastId, row, dueAtOf(row)));
    return this.#lastId;
  }

  /**
   * Stores a message of a staged run under its reserved id. Neither the queue nor the figures see it until it is
   * published.
   */
  insertStaged(id: number, row: NewMessage): number {
    return this.#insert(row, null, id);
  }

  /** Separate from `insert`: there it would cost every accept a column that hardly any message uses. */
  setResentOf(id: number, oldId: number): void {
    this.#sql.setResentOf.run(id, oldId);
  }

  byId(id: number): MessageRow | null {
    this.appended.flush();
    return this.#sql.byId.get(id);
  }

  /** The account's message with this tracking code; also null if it is another account's. */
  byCode(accountId: number, trackingCode: string): MessageRow | null {
    return this.#unlessHidden(this.#sql.byCode.get(trackingCode, accountId));
  }

  /** The message of any account, for the operator. */
  byCodeAnywhere(trackingCode: string): MessageRow | null {
    return this.#unlessHidden(this.#sql.byCodeAnywhere.get(trackingCode));
  }

  /** `count` consecutive messages, as one request registered them; those whose key had ended are left out. */
  run(firstId: number, count: number): RegisteredMessage[] {
    this.appended.flush();
    const kept = this.#sql.run.all(firstId, count);
    return kept.length === count ? kept : this.stubs.run(firstId, count);
  }

  /** True if the message failed, deleted or not. */
  hasFailed(id: number): boolean {
    return (this.byId(id)?.state ?? null) === "failed" || this.stubs.hasFailed(id);
  }

  /**
   * Moves a message as the caller read it. Returns the row after the move, or null if another write came first. A
   * change of public status reaches every listener in the same transaction.
   */
  move(row: MessageRow, move: Move): MessageRow | null {
    if (!canMove(row.state, move.to)) throw new IllegalMove(row, move.to);
    const next = moved(row, move);
    next.cost = this.#charges.costAfter(row, next);
    const { changes } = this.#sql.move.run(
      row.id,
      row.state,
      next.state,
      next.dueAt,
      next.routeId,
      next.attempts,
      next.errorCode,
      next.partsDelivered,
      next.processingAt,
      next.sentAt,
      next.finalAt,
      next.updatedAt,
      next.uncertainAttempts,
      next.cost,
    );
    if (changes === 0) return null;
    this.#rollups.moved(row, next);
    this.#charges.moved(row, next);
    const now = this.#redacted(next);
    const status = publicStatusOf(now.state);
    if (status !== publicStatusOf(row.state)) {
      this.#otpSteps.moved(now, status, now.updatedAt);
      const listeners = this.#otpSteps.isFurther(now) ? [] : this.#listeners;
      for (const listener of listeners) listener(now, status, now.updatedAt);
      this.#reached.add(now);
    }
    return now;
  }

  /** Another part has its receipt while others are still waiting for theirs. */
  setPartsDelivered(id: number, count: number): void {
    this.#sql.setPartsDelivered.run(id, count);
  }

  #insert(row: NewMessage, dueAt: number | null, id: number | null): number {
    this.appended.flush();
    const inserted = this.#sql.insert.run(...valuesOf(id, row, dueAt));
    return Number(inserted.lastInsertRowid);
  }

  #unlessHidden(row: MessageRow | null): MessageRow | null {
    return row === null || this.#hidden.has(row.id) ? null : row;
  }

  /** The sealed part of a text that contains a code is removed as soon as the text cannot be sent again. */
  #redacted(row: MessageRow): MessageRow {
    if (row.class !== messageClasses.otp || (row.state !== "submitted" && !isFinal(row.state))) return row;
    const text = visibleText(row.text);
    if (text === row.text) return row;
    this.#sql.setText.run(row.id, text);
    return { ...row, text };
  }
}

/** The earliest time at which the queue may hand it over. */
export const dueAtOf = ({ dueAt, sendAt, submittedAt }: NewMessage): number => dueAt ?? sendAt ?? submittedAt;

/** The values of `insertedKeys`. A null id means the next one. */
function valuesOf(id: number | null, row: NewMessage, dueAt: number | null) {
  return [
    id,
    row.trackingCode,
    row.accountId,
    row.senderId,
    row.class,
    "ready",
    dueAt,
    row.sender,
    row.recipient,
    row.text,
    row.clientReference,
    row.encoding,
    row.characterCount,
    row.partCount,
    row.submittedAt,
    row.sendAt,
    row.validUntil,
    row.submittedAt,
    row.apiKeyId ?? null,
    row.targetId ?? 0,
    row.priority ?? 0,
    row.network ?? 0,
    row.price ?? null,
    row.isTest ?? 0,
    row.networkSource ?? networkSources.prefix,
  ] as const;
}

function moved(row: MessageRow, move: Move): MessageRow {
  // A wall clock that jumped back must not make a message's history run backwards.
  const at = Math.max(move.at, row.updatedAt);
  return {
    ...row,
    state: move.to,
    dueAt: move.dueAt ?? null,
    routeId: move.routeId ?? row.routeId,
    attempts: move.attempts ?? row.attempts,
    errorCode: move.errorCode ?? row.errorCode,
    partsDelivered: move.partsDelivered ?? row.partsDelivered,
    uncertainAttempts: move.uncertainAttempts ?? row.uncertainAttempts,
    processingAt: row.processingAt ?? (publicStatusOf(move.to) === "processing" ? at : null),
    sentAt: row.sentAt ?? (move.to === "submitted" ? at : null),
    finalAt: isFinal(move.to) ? at : null,
    updatedAt: at,
  };
}
