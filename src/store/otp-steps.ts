/**
 * The steps of one-time passwords: which are set, and how far those of each challenge have come. A challenge without
 * steps costs nothing here: nothing is read before any has them.
 */
import type { Database } from "bun:sqlite";
import { and, eq } from "drizzle-orm";
import { type MessageErrorCode, messageClasses, type PublicStatus } from "../domain/message.ts";
import type { OtpPlanKey, OtpStepsOutcome } from "../domain/otp-steps.ts";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { otpPlan, otpSequence, otpStep } from "./schema.ts";

export type OtpPlanRow = typeof otpPlan.$inferSelect;
export type OtpSequenceRow = typeof otpSequence.$inferSelect;
export type OtpStepRow = typeof otpStep.$inferSelect;

/** One that goes on. */
export type LiveSequence = OtpSequenceRow & { dueAt: number; sealed: Uint8Array };

const sequenceColumns = columnsOf(otpSequence);

/** The message that moved. */
interface MovedMessage {
  id: number;
  class: number;
  errorCode: MessageErrorCode | null;
}

type Stored = Omit<OtpSequenceRow, "steps"> & { steps: string };

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(otpSequence, "messageId", "accountId", "steps", "dueAt", "sealed")),
  of: database.prepare<Stored, [number]>(`SELECT ${sequenceColumns} FROM otp_sequence WHERE message_id = ?`),
  due: database.prepare<Stored, [number, number]>(
    `SELECT ${sequenceColumns} FROM otp_sequence WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
  ),
  nextDueAt: database.prepare<{ dueAt: number }, []>(
    "SELECT due_at AS dueAt FROM otp_sequence WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1",
  ),
  advance: database.prepare("UPDATE otp_sequence SET begun = ?2, due_at = ?3 WHERE message_id = ?1"),
  bring: database.prepare(
    `UPDATE otp_sequence SET due_at = ?2 WHERE message_id = ?1 AND due_at > ?2
       AND ?3 = coalesce((SELECT max(message_id) FROM otp_step WHERE first_message_id = ?1), ?1)`,
  ),
  pullIn: database.prepare("UPDATE otp_sequence SET due_at = ?1 WHERE due_at > ?1"),
  end: database.prepare(
    `UPDATE otp_sequence SET due_at = NULL, sealed = NULL, outcome = ?2, ended_at = ?3
     WHERE message_id = ?1 AND due_at IS NOT NULL`,
  ),
  endOfAccount: database.prepare(
    `UPDATE otp_sequence SET due_at = NULL, sealed = NULL, outcome = ?2, ended_at = ?3
     WHERE account_id = ?1 AND due_at IS NOT NULL`,
  ),
  endReplaced: database.prepare(
    `UPDATE otp_sequence SET due_at = NULL, sealed = NULL, outcome = 'replaced', ended_at = ?3
     WHERE due_at IS NOT NULL AND message_id IN (
       SELECT message_id FROM otp_send WHERE account_id = ?1 AND recipient = ?2 AND message_id <> ?4)`,
  ),
  step: database.prepare(insertInto(otpStep, "messageId", "firstMessageId", "position", "beganAt")),
  ofMessage: database.prepare<OtpStepRow, [number]>(`SELECT ${columnsOf(otpStep)} FROM otp_step WHERE message_id = ?`),
  tried: database.prepare<TriedChallenge, [number, number]>(
    `WITH tried AS MATERIALIZED (
       SELECT first.message_id AS id, sent_at AS sentAt, verified_at AS verifiedAt,
         (SELECT count(*) FROM otp_step WHERE first_message_id = first.message_id
            AND began_at <= coalesce(verified_at, began_at)) AS further
       FROM otp_sequence JOIN otp_send AS first USING (message_id)
       WHERE sent_at >= ? ORDER BY first.message_id DESC LIMIT ?)
     SELECT sentAt, verifiedAt, further + 1 AS messages, message.route_id AS routeId, message.network AS network
     FROM tried JOIN message ON message.id = coalesce(
       (SELECT message_id FROM otp_step WHERE first_message_id = tried.id
          AND began_at <= coalesce(verifiedAt, began_at) ORDER BY position DESC LIMIT 1), tried.id)`,
  ),
  steps: database.prepare<OtpStepRow, [number]>(
    `SELECT ${columnsOf(otpStep)} FROM otp_step WHERE first_message_id = ? ORDER BY position`,
  ),
  routes: database.prepare<{ routeId: number }, [number, number]>(
    `SELECT route_id AS routeId FROM message WHERE route_id IS NOT NULL AND target_id >= -1 AND id < ?2
       AND (id = ?1 OR id IN (SELECT message_id FROM otp_step WHERE first_message_id = ?1))`,
  ),
});

/** A challenge with steps, and its newest message until it was verified. */
export interface TriedChallenge {
  sentAt: number;
  verifiedAt: number | null;
  /** Messages until then; 1: the first alone. */
  messages: number;
  routeId: number | null;
  network: number;
}

const none: readonly never[] = [];

const rowOf = ({ steps, ...row }: Stored): OtpSequenceRow => ({ ...row, steps: JSON.parse(steps) });
const isLive = (row: OtpSequenceRow): row is LiveSequence => row.dueAt !== null && row.sealed !== null;

export class OtpStepTable {
  readonly #drizzle: Drizzle;
  readonly #sql: () => ReturnType<typeof prepare>;
  /** True from the first challenge with steps on. */
  #isUsed: boolean;

  constructor(database: Database, drizzle: Drizzle) {
    this.#drizzle = drizzle;
    this.#sql = onFirstUse(() => prepare(database));
    this.#isUsed = drizzle.select({ id: otpSequence.messageId }).from(otpSequence).limit(1).get() !== undefined;
  }

  plans(): OtpPlanRow[] {
    return this.#drizzle.select().from(otpPlan).orderBy(otpPlan.accountId, otpPlan.pattern).all();
  }

  setPlan(row: OtpPlanRow): void {
    const { accountId, pattern, steps } = row;
    const target = [otpPlan.accountId, otpPlan.pattern];
    this.#drizzle
      .insert(otpPlan)
      .values({ accountId, pattern, steps })
      .onConflictDoUpdate({ target, set: { steps } })
      .run();
  }

  removePlan({ accountId, pattern }: OtpPlanKey): void {
    this.#drizzle
      .delete(otpPlan)
      .where(and(eq(otpPlan.accountId, accountId), eq(otpPlan.pattern, pattern)))
      .run();
  }

  /** Begins with the challenge; its row in otp_send has to be there. */
  insert(row: Pick<LiveSequence, "messageId" | "accountId" | "steps" | "dueAt" | "sealed">): void {
    this.#isUsed = true;
    this.#sql().insert.run(row.messageId, row.accountId, JSON.stringify(row.steps), row.dueAt, row.sealed);
  }

  /** Those whose next step is due, longest waiting first. */
  due(now: number, limit: number): LiveSequence[] {
    return this.#isUsed ? this.#sql().due.all(now, limit).map(rowOf).filter(isLive) : [];
  }

  /** Null if nothing goes on. */
  nextDueAt(): number | null {
    return this.#isUsed ? (this.#sql().nextDueAt.get()?.dueAt ?? null) : null;
  }

  /** Of the challenge with this first message, or to which this message belongs. */
  sequenceOf(messageId: number): OtpSequenceRow | null {
    if (!this.#isUsed) return null;
    const row = this.#sql().of.get(this.#firstOf(messageId) ?? messageId);
    return row === null ? null : rowOf(row);
  }

  /** The steps that began, in order. */
  stepsOf(firstMessageId: number): OtpStepRow[] {
    return this.#sql().steps.all(firstMessageId);
  }

  /** The newest challenges with steps that were sent since then. */
  tried(since: number, limit: number): TriedChallenge[] {
    return this.#isUsed ? this.#sql().tried.all(since, limit) : [];
  }

  /** True for the message of a further step: its changes of status are nobody's but the operator's. */
  isFurther({ id, class: messageClass }: Pick<MovedMessage, "id" | "class">): boolean {
    return this.#isUsed && messageClass === messageClasses.otp && this.#firstOf(id) !== null;
  }

  /** The routes by which the challenge was sent before this message. */
  routesBefore({ id, class: messageClass }: Pick<MovedMessage, "id" | "class">): readonly number[] {
    const firstId = this.#isUsed && messageClass === messageClasses.otp ? this.#firstOf(id) : null;
    return firstId === null
      ? none
      : this.#sql()
          .routes.all(firstId, id)
          .map(({ routeId }) => routeId);
  }

  /** The next step is the message `stepId`, or was passed over if that is null. */
  begin({ messageId, begun }: LiveSequence, stepId: number | null, at: number, dueAt: number | null): void {
    if (stepId !== null) this.#sql().step.run(stepId, messageId, begun, at);
    if (dueAt === null) this.end(messageId, "completed", at);
    this.#sql().advance.run(messageId, begun + 1, dueAt);
  }

  postpone({ messageId, begun }: LiveSequence, dueAt: number): void {
    this.#sql().advance.run(messageId, begun, dueAt);
  }

  /** Brings forward what a clock change left further ahead than any wait is. */
  pullIn(dueAtMax: number): void {
    this.#sql().pullIn.run(dueAtMax);
  }

  /** A message changed its status, in the transaction that decides it. */
  moved({ id, class: messageClass, errorCode }: MovedMessage, status: PublicStatus, at: number): void {
    if (!this.#isUsed || messageClass !== messageClasses.otp) return;
    const first = this.#firstOf(id) ?? id;
    if (status === "delivered" || status === "cancelled") this.end(first, status, at);
    if (status !== "failed") return;
    if (errorCode === "blocked" || errorCode === "expired") this.end(first, errorCode, at);
    // Nobody has to wait for the newest if it has failed.
    else this.#sql().bring.run(first, at, id);
  }

  /** Drops the steps that have not begun. */
  end(firstMessageId: number, outcome: OtpStepsOutcome, at: number): void {
    if (this.#isUsed) this.#sql().end.run(firstMessageId, outcome, at);
  }

  endOfAccount(accountId: number, outcome: OtpStepsOutcome, at: number): void {
    if (this.#isUsed) this.#sql().endOfAccount.run(accountId, outcome, at);
  }

  /** Those of the recipient's earlier challenges. */
  endReplaced(accountId: number, recipient: string, by: number, at: number): void {
    if (this.#isUsed) this.#sql().endReplaced.run(accountId, recipient, at, by);
  }

  #firstOf(messageId: number): number | null {
    return this.#sql().ofMessage.get(messageId)?.firstMessageId ?? null;
  }
}
