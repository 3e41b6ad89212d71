/**
 * One-time passwords that were sent: the basis of their limits, and the challenges among them. A code is stored only as
 * a keyed hash, and so is the end user's address, for a day.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto } from "./columns.ts";
import { otpEndUser, otpSend } from "./schema.ts";

/** `recipient` is E.164, times are epoch milliseconds. */
type OtpSendRow = typeof otpSend.$inferSelect;

export type NewOtpSend = Pick<OtpSendRow, "messageId" | "accountId" | "recipient" | "sentAt">;

type Given<Row> = { [Key in keyof Row]: NonNullable<Row[Key]> };

/** A code that Peyk made. */
export type NewChallenge = NewOtpSend & Given<Pick<OtpSendRow, "challengeId" | "codeHash" | "expiresAt" | "resendAt">>;

/**
 * `attempts` counts all answers, including correct ones; `replacedAt`: when a newer challenge of the recipient replaced
 * it.
 */
export type ChallengeRow = NewChallenge & Pick<OtpSendRow, "attempts" | "verifiedAt" | "replacedAt">;

const columns = columnsOf(otpSend);

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(otpSend, "messageId", "accountId", "recipient", "sentAt")),
  insertChallenge: database.prepare(
    insertInto(
      otpSend,
      "messageId",
      "accountId",
      "recipient",
      "sentAt",
      "challengeId",
      "codeHash",
      "expiresAt",
      "resendAt",
    ),
  ),
  sentAt: database.prepare<{ sentAt: number }, [number, string, number]>(
    `SELECT sent_at AS sentAt FROM otp_send WHERE account_id = ? AND recipient = ? ORDER BY sent_at DESC LIMIT ?`,
  ),
  byChallengeId: database.prepare<ChallengeRow, [string, number]>(
    `SELECT ${columns} FROM otp_send WHERE challenge_id = ? AND account_id = ?`,
  ),
  byMessageId: database.prepare<ChallengeRow, [number]>(
    `SELECT ${columns} FROM otp_send WHERE message_id = ? AND challenge_id IS NOT NULL`,
  ),
  replace: database.prepare(
    `UPDATE otp_send SET replaced_at = ?3 WHERE account_id = ?1 AND recipient = ?2 AND challenge_id IS NOT NULL
       AND verified_at IS NULL AND replaced_at IS NULL`,
  ),
  countAnswer: database.prepare("UPDATE otp_send SET attempts = attempts + 1, verified_at = ?2 WHERE message_id = ?1"),
  insertEndUser: database.prepare(insertInto(otpEndUser, "messageId", "address", "sentAt")),
  newestOfEndUser: database.prepare<{ at: number }, [Uint8Array, number, string, number]>(
    `SELECT max(otp_end_user.sent_at) AS at FROM otp_end_user JOIN otp_send USING (message_id)
     WHERE address = ? AND otp_end_user.sent_at > ? AND recipient <> ?
     GROUP BY recipient ORDER BY at DESC LIMIT 1 OFFSET ?`,
  ),
  oldestEndUser: database.prepare<{ at: number | null }, []>("SELECT min(sent_at) AS at FROM otp_end_user"),
  pruneEndUsers: database.prepare("DELETE FROM otp_end_user WHERE sent_at <= ?"),
  prune: database.prepare(
    "DELETE FROM otp_send WHERE message_id IN (SELECT message_id FROM otp_send WHERE sent_at < ? LIMIT ?)",
  ),
});

export class OtpSendTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  insert({ messageId, accountId, recipient, sentAt }: NewOtpSend): void {
    this.#sql.insert.run(messageId, accountId, recipient, sentAt);
  }

  /** Stores a challenge; it ends the recipient's live ones. */
  insertChallenge(row: NewChallenge): void {
    this.#sql.replace.run(row.accountId, row.recipient, row.sentAt);
    const { messageId, accountId, recipient, sentAt, challengeId, codeHash, expiresAt, resendAt } = row;
    const { insertChallenge } = this.#sql;
    insertChallenge.run(messageId, accountId, recipient, sentAt, challengeId, codeHash, expiresAt, resendAt);
  }

  /** When the newest codes were sent to this recipient, newest first. */
  newestSentAt(accountId: number, recipient: string, limit: number): number[] {
    return this.#sql.sentAt.all(accountId, recipient, limit).map((row) => row.sentAt);
  }

  /** Also null if it is another account's. */
  challenge(accountId: number, challengeId: string): ChallengeRow | null {
    return this.#sql.byChallengeId.get(challengeId, accountId);
  }

  challengeOfMessage(messageId: number): ChallengeRow | null {
    return this.#sql.byMessageId.get(messageId);
  }

  /** Counts an answer; `verifiedAt` is null for a wrong one. */
  countAnswer(messageId: number, verifiedAt: number | null): void {
    this.#sql.countAnswer.run(messageId, verifiedAt);
  }

  /** After the row of the message. */
  insertEndUser(row: typeof otpEndUser.$inferSelect): void {
    this.#sql.insertEndUser.run(row.messageId, row.address, row.sentAt);
  }

  /** When the `count`-th of the end user's numbers but this one, newest first, had its newest code; null for fewer. */
  newestOfEndUser(address: Uint8Array, since: number, otherThan: string, count: number): number | null {
    return this.#sql.newestOfEndUser.get(address, since, otherThan, count - 1)?.at ?? null;
  }

  oldestEndUser(): number | null {
    return this.#sql.oldestEndUser.get()?.at ?? null;
  }

  pruneEndUsers(until: number): void {
    this.#sql.pruneEndUsers.run(until);
  }

  /** Removes up to `limit` rows sent before that time. Returns the number removed. */
  prune(sentBefore: number, limit: number): number {
    return this.#sql.prune.run(sentBefore, limit).changes;
  }
}
