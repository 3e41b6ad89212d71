/** One-time passwords that were sent: what limits them, and the challenges among them. A code is here only as a keyed hash. */
import type { Database } from "bun:sqlite";

export interface NewOtpSend {
  messageId: number;
  accountId: number;
  /** E.164. */
  recipient: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

/** A code that Peyk made. Times are epoch milliseconds. */
export interface NewChallenge extends NewOtpSend {
  challengeId: string;
  codeHash: Uint8Array;
  expiresAt: number;
  resendAt: number;
}

export interface ChallengeRow extends NewChallenge {
  /** Answers that were given, right ones too. */
  attempts: number;
  verifiedAt: number | null;
  /** When a newer challenge of the same recipient took its place. */
  replacedAt: number | null;
}

const challengeColumns = `message_id AS messageId, account_id AS accountId, recipient, sent_at AS sentAt,
  challenge_id AS challengeId, code_hash AS codeHash, expires_at AS expiresAt, resend_at AS resendAt, attempts,
  verified_at AS verifiedAt, replaced_at AS replacedAt`;

export type OtpSendTable = ReturnType<typeof otpSendTable>;

export function otpSendTable(database: Database) {
  const insertion = database.prepare(
    "INSERT INTO otp_send (message_id, account_id, recipient, sent_at) VALUES (?, ?, ?, ?)",
  );
  const challengeInsertion = database.prepare(
    `INSERT INTO otp_send (message_id, account_id, recipient, sent_at, challenge_id, code_hash, expires_at, resend_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sentAt = database.prepare<{ sentAt: number }, [number, string, number]>(
    `SELECT sent_at AS sentAt FROM otp_send WHERE account_id = ? AND recipient = ? ORDER BY sent_at DESC LIMIT ?`,
  );
  const byChallengeId = database.prepare<ChallengeRow, [string, number]>(
    `SELECT ${challengeColumns} FROM otp_send WHERE challenge_id = ? AND account_id = ?`,
  );
  const byMessageId = database.prepare<ChallengeRow, [number]>(
    `SELECT ${challengeColumns} FROM otp_send WHERE message_id = ? AND challenge_id IS NOT NULL`,
  );
  const replacement = database.prepare(
    `UPDATE otp_send SET replaced_at = ?3 WHERE account_id = ?1 AND recipient = ?2 AND challenge_id IS NOT NULL
       AND verified_at IS NULL AND replaced_at IS NULL`,
  );
  const answer = database.prepare(
    "UPDATE otp_send SET attempts = attempts + 1, verified_at = ?2 WHERE message_id = ?1",
  );
  const prune = database.prepare(
    "DELETE FROM otp_send WHERE message_id IN (SELECT message_id FROM otp_send WHERE sent_at < ? LIMIT ?)",
  );

  return {
    insert({ messageId, accountId, recipient, sentAt }: NewOtpSend): void {
      insertion.run(messageId, accountId, recipient, sentAt);
    },

    /** Stores a challenge; those of the recipient that were live end with it. */
    insertChallenge(row: NewChallenge): void {
      replacement.run(row.accountId, row.recipient, row.sentAt);
      const { messageId, accountId, recipient, sentAt, challengeId, codeHash, expiresAt, resendAt } = row;
      challengeInsertion.run(messageId, accountId, recipient, sentAt, challengeId, codeHash, expiresAt, resendAt);
    },

    /** When the newest codes went to this recipient, newest first. */
    newestSentAt: (accountId: number, recipient: string, limit: number): number[] =>
      sentAt.all(accountId, recipient, limit).map((row) => row.sentAt),

    /** Null also when it is another account's. */
    challenge: (accountId: number, challengeId: string): ChallengeRow | null =>
      byChallengeId.get(challengeId, accountId),

    challengeOfMessage: (messageId: number): ChallengeRow | null => byMessageId.get(messageId),

    /** Counts one more answer; `verifiedAt` is null for a wrong one. */
    countAnswer(messageId: number, verifiedAt: number | null): void {
      answer.run(messageId, verifiedAt);
    },

    /** Forgets up to `limit` of what was sent before; returns how many went. */
    prune: (sentBefore: number, limit: number): number => prune.run(sentBefore, limit).changes,
  };
}
