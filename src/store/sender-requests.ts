/** Senders that customers ask for, and what they were answered. */
import { and, count, desc, eq, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { senderRequest } from "./schema.ts";

export type SenderRequestRow = typeof senderRequest.$inferSelect;
type NewSenderRequest = Pick<SenderRequestRow, "accountId" | "sender" | "note" | "askedBy" | "askedAt">;
type SenderAnswer = Pick<SenderRequestRow, "answer" | "answerNote" | "answeredBy" | "answeredAt">;

/** Waiting ones of an account. */
export const senderRequestsMax = 10;
/** Of an account, the newest; what it asks can fill no disk. */
const keptMax = 50;
const listedMax = 200;

const isWaiting = isNull(senderRequest.answer);

export class SenderRequestTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** The one that waits for the same sender, or a new one; null if the account has too many. */
  insertRequest(row: NewSenderRequest): SenderRequestRow | null {
    const ofAccount = eq(senderRequest.accountId, row.accountId);
    const waiting = this.drizzle.select().from(senderRequest).where(and(ofAccount, isWaiting)).all();
    const same = waiting.find(({ sender }) => sender === row.sender);
    if (same !== undefined) return same;
    if (waiting.length >= senderRequestsMax) return null;
    const added = this.drizzle.insert(senderRequest).values(row).returning().get();
    const [tooOld] = this.#newest(row.accountId, keptMax + 1).slice(keptMax);
    if (tooOld !== undefined) this.drizzle.delete(senderRequest).where(eq(senderRequest.id, tooOld.id)).run();
    return added;
  }

  /** Newest first. */
  ofAccount(accountId: number): SenderRequestRow[] {
    return this.#newest(accountId, keptMax);
  }

  /** Of all accounts, longest waiting first. */
  waiting(): SenderRequestRow[] {
    return this.drizzle.select().from(senderRequest).where(isWaiting).orderBy(senderRequest.id).limit(listedMax).all();
  }

  countWaiting(): number {
    return this.drizzle.select({ waiting: count() }).from(senderRequest).where(isWaiting).get()?.waiting ?? 0;
  }

  byId(id: number): SenderRequestRow | null {
    return this.drizzle.select().from(senderRequest).where(eq(senderRequest.id, id)).get() ?? null;
  }

  /** Null if it does not wait any more. */
  answerRequest(id: number, answer: SenderAnswer): SenderRequestRow | null {
    const isThis = and(eq(senderRequest.id, id), isWaiting);
    return this.drizzle.update(senderRequest).set(answer).where(isThis).returning().get() ?? null;
  }

  /** The account has got the sender, however that came. */
  answerAdded(accountId: number, sender: string, answeredBy: string, answeredAt: number): void {
    const isThis = and(eq(senderRequest.accountId, accountId), eq(senderRequest.sender, sender), isWaiting);
    this.drizzle.update(senderRequest).set({ answer: "added", answeredBy, answeredAt }).where(isThis).run();
  }

  #newest(accountId: number, limit: number): SenderRequestRow[] {
    const isIts = eq(senderRequest.accountId, accountId);
    return this.drizzle.select().from(senderRequest).where(isIts).orderBy(desc(senderRequest.id)).limit(limit).all();
  }
}
