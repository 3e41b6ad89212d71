/** The message table: rows come in here, are read here, and move along the status graph here and nowhere else. */
import type { Database } from "bun:sqlite";
import {
  type MessageClass,
  type MessageEncoding,
  type MessageErrorCode,
  type MessageState,
  messageClasses,
  type PublicStatus,
} from "../domain/message.ts";
import { visibleText } from "../domain/sealed-text.ts";
import { canMove, isFinal, publicStatusOf } from "../domain/status.ts";
import type { HiddenRuns } from "./staged-runs.ts";

/** A message as it is accepted. Times are epoch milliseconds; `sendAt` is null for one that is due at once. */
export interface NewMessage {
  trackingCode: string;
  accountId: number;
  senderId: number;
  class: MessageClass;
  sender: string;
  recipient: string;
  text: string;
  clientReference: string | null;
  encoding: MessageEncoding;
  characterCount: number;
  partCount: number;
  submittedAt: number;
  sendAt: number | null;
  validUntil: number;
}

export interface MessageRow extends NewMessage {
  id: number;
  state: MessageState;
  dueAt: number | null;
  partsDelivered: number;
  attempts: number;
  routeId: number | null;
  errorCode: MessageErrorCode | null;
  processingAt: number | null;
  sentAt: number | null;
  finalAt: number | null;
  updatedAt: number;
}

/** A step along the status graph. What is left out stays as it was; `dueAt` is null unless given. */
export interface Move {
  to: MessageState;
  at: number;
  dueAt?: number;
  routeId?: number;
  attempts?: number;
  errorCode?: MessageErrorCode;
  partsDelivered?: number;
}

/** Told of every change of public status, inside the transaction that makes it. It may write, and nothing else. */
export type StatusListener = (message: MessageRow, status: PublicStatus, at: number) => void;

/** A move that the status graph does not know: a defect of the caller, never an answer to a user. */
export class IllegalMove extends Error {
  constructor(message: MessageRow, to: MessageState) {
    super(`Message ${message.trackingCode} cannot move from ${message.state} to ${to}`);
    this.name = "IllegalMove";
  }
}

export const messageColumns = `id, tracking_code AS trackingCode, account_id AS accountId, sender_id AS senderId, class, state,
  due_at AS dueAt, sender, recipient, text, client_reference AS clientReference, encoding,
  character_count AS characterCount, part_count AS partCount, parts_delivered AS partsDelivered, attempts,
  route_id AS routeId, error_code AS errorCode, submitted_at AS submittedAt, send_at AS sendAt,
  valid_until AS validUntil, processing_at AS processingAt, sent_at AS sentAt, final_at AS finalAt,
  updated_at AS updatedAt`;

export type MessageTable = ReturnType<typeof messageTable>;

/** A Send result's part of a message, as it was registered. */
export type RegisteredMessage = Pick<
  NewMessage,
  "trackingCode" | "encoding" | "characterCount" | "partCount" | "submittedAt" | "sendAt"
>;

export function messageTable(database: Database, listeners: readonly StatusListener[], hidden: HiddenRuns) {
  // An id that is null is the next one.
  const insertion = database.prepare(
    `INSERT INTO message (tracking_code, account_id, sender_id, class, state, due_at, sender, recipient, text,
       client_reference, encoding, character_count, part_count, submitted_at, send_at, valid_until, updated_at, id)
     VALUES (?1, ?2, ?3, ?4, 'ready', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?13, ?16)`,
  );
  const byId = database.prepare<MessageRow, [number]>(`SELECT ${messageColumns} FROM message WHERE id = ?`);
  const byCode = database.prepare<MessageRow, [string, number]>(
    `SELECT ${messageColumns} FROM message WHERE tracking_code = ? AND account_id = ?`,
  );
  const byCodeAnywhere = database.prepare<MessageRow, [string]>(
    `SELECT ${messageColumns} FROM message WHERE tracking_code = ?`,
  );
  const run = database.prepare<RegisteredMessage, [number, number]>(
    `SELECT tracking_code AS trackingCode, encoding, character_count AS characterCount, part_count AS partCount,
       submitted_at AS submittedAt, send_at AS sendAt
     FROM message WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id`,
  );
  const movement = database.prepare(
    `UPDATE message SET state = ?3, due_at = ?4, route_id = ?5, attempts = ?6, error_code = ?7, parts_delivered = ?8,
       processing_at = ?9, sent_at = ?10, final_at = ?11, updated_at = ?12
     WHERE id = ?1 AND state = ?2`,
  );
  const partsDelivered = database.prepare("UPDATE message SET parts_delivered = ?2 WHERE id = ?1");
  const redaction = database.prepare("UPDATE message SET text = ?2 WHERE id = ?1");

  function store(m: NewMessage, dueAt: number | null, id: number | null): number {
    const inserted = insertion.run(
      m.trackingCode,
      m.accountId,
      m.senderId,
      m.class,
      dueAt,
      m.sender,
      m.recipient,
      m.text,
      m.clientReference,
      m.encoding,
      m.characterCount,
      m.partCount,
      m.submittedAt,
      m.sendAt,
      m.validUntil,
      id,
    );
    return Number(inserted.lastInsertRowid);
  }

  const unlessHidden = (row: MessageRow | null) => (row === null || hidden.has(row.id) ? null : row);

  /** Once nobody will send it again, the sealed part of a text that carries a code is of no use, and goes. */
  function redacted(row: MessageRow): MessageRow {
    if (row.class !== messageClasses.otp || (row.state !== "submitted" && !isFinal(row.state))) return row;
    const text = visibleText(row.text);
    if (text === row.text) return row;
    redaction.run(row.id, text);
    return { ...row, text };
  }

  function moved(row: MessageRow, move: Move): MessageRow {
    // A wall clock that jumped back must not make a history that runs backwards.
    const at = Math.max(move.at, row.updatedAt);
    return {
      ...row,
      state: move.to,
      dueAt: move.dueAt ?? null,
      routeId: move.routeId ?? row.routeId,
      attempts: move.attempts ?? row.attempts,
      errorCode: move.errorCode ?? row.errorCode,
      partsDelivered: move.partsDelivered ?? row.partsDelivered,
      processingAt: row.processingAt ?? (publicStatusOf(move.to) === "processing" ? at : null),
      sentAt: row.sentAt ?? (move.to === "submitted" ? at : null),
      finalAt: isFinal(move.to) ? at : null,
      updatedAt: at,
    };
  }

  return {
    /** Stores a new message as `ready` and returns its row id. Ids grow in the order of acceptance. */
    insert: (m: NewMessage): number => store(m, m.sendAt ?? m.submittedAt, null),

    /** Stores a message of a staged run under its reserved id; the queue does not know of it until its release. */
    insertStaged: (id: number, m: NewMessage): number => store(m, null, id),

    byId: (id: number): MessageRow | null => byId.get(id),

    /** The account's message with this tracking code; null also when it is another account's. */
    byCode: (accountId: number, trackingCode: string): MessageRow | null =>
      unlessHidden(byCode.get(trackingCode, accountId)),

    /** Any account's message, for the operator. */
    byCodeAnywhere: (trackingCode: string): MessageRow | null => unlessHidden(byCodeAnywhere.get(trackingCode)),

    /** `count` messages in a row, as one request registered them; those that retention removed are left out. */
    run: (firstId: number, count: number): RegisteredMessage[] => run.all(firstId, count),

    /**
     * Moves a message as the caller read it. Returns the row as it is now, or null where another write came first.
     * A change of public status reaches every listener in the same transaction.
     */
    move(row: MessageRow, move: Move): MessageRow | null {
      if (!canMove(row.state, move.to)) throw new IllegalMove(row, move.to);
      const next = moved(row, move);
      const { changes } = movement.run(
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
      );
      if (changes === 0) return null;
      const now = redacted(next);
      const status = publicStatusOf(now.state);
      if (status !== publicStatusOf(row.state)) for (const listener of listeners) listener(now, status, now.updatedAt);
      return now;
    },

    /** One more part has its receipt, and others are still out. */
    setPartsDelivered(id: number, count: number): void {
      partsDelivered.run(id, count);
    },
  };
}
