/** For which end users' addresses codes were sent in the last day: the basis of a limit. An address is a keyed hash. */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { insertInto } from "./columns.ts";
import { otpEndUser } from "./schema.ts";

type OtpEndUserRow = typeof otpEndUser.$inferSelect;

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(otpEndUser, "messageId", "address", "sentAt")),
  newestOf: database.prepare<{ at: number }, [Uint8Array, number, string, number]>(
    `SELECT max(otp_end_user.sent_at) AS at FROM otp_end_user JOIN otp_send USING (message_id)
     WHERE address = ? AND otp_end_user.sent_at > ? AND recipient <> ?
     GROUP BY recipient ORDER BY at DESC LIMIT 1 OFFSET ?`,
  ),
  oldest: database.prepare<{ at: number }, []>("SELECT sent_at AS at FROM otp_end_user ORDER BY sent_at LIMIT 1"),
  prune: database.prepare("DELETE FROM otp_end_user WHERE sent_at <= ?"),
});

export class OtpEndUserTable {
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  /** After the row of `otp_send`. */
  insert({ messageId, address, sentAt }: OtpEndUserRow): void {
    this.#sql().insert.run(messageId, address, sentAt);
  }

  /**
   * Of the numbers but this one that had codes since then, in the order of their newest: when the `count`-th had its
   * newest; null if there are fewer.
   */
  newestOf(address: Uint8Array, since: number, otherThan: string, count: number): number | null {
    return this.#sql().newestOf.get(address, since, otherThan, count - 1)?.at ?? null;
  }

  hasUntil(time: number): boolean {
    return (this.#sql().oldest.get()?.at ?? Number.POSITIVE_INFINITY) <= time;
  }

  prune(until: number): void {
    this.#sql().prune.run(until);
  }
}
