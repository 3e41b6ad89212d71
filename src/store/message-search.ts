/** Reads messages for a search: a slice of ids, or the ids that an index names. */
import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  like,
  lt,
  max,
  notBetween,
  type SQL,
  sql,
} from "drizzle-orm";
import type { MessageClass, MessageErrorCode, MessageState } from "../domain/message.ts";
import type { Drizzle } from "./drizzle.ts";
import { message, stagedRun } from "./schema.ts";

/** A match satisfies every given condition. Times are epoch milliseconds of acceptance. */
export interface MessageFilter {
  accountId?: number | undefined;
  /** Applied by the search, which only walks the campaign's runs. */
  campaignId?: number | undefined;
  sender?: string | undefined;
  /** E.164. */
  recipient?: string | undefined;
  /** The last digits of the recipient, at least four. */
  recipientEnd?: string | undefined;
  clientReference?: string | undefined;
  states?: readonly MessageState[] | undefined;
  /** The route it was last on is one of them. */
  routeIds?: readonly number[] | undefined;
  errorCode?: MessageErrorCode | undefined;
  class?: MessageClass | undefined;
  /** Of the recipient's number. */
  network?: number | undefined;
  apiKeyId?: number | undefined;
  /** It came over this SMPP credential. */
  smppCredentialId?: number | undefined;
  /** From when it could go until its last status, or until now. */
  slower?: { thanMs: number; now: number } | undefined;
  /** When it is due, or was at first: from inclusive, to exclusive. */
  dueFrom?: number | undefined;
  dueTo?: number | undefined;
  /** Inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

/** `beginning`: of the stored text. */
export type FoundMessage = Omit<typeof message.$inferSelect, "text"> & { beginning: string };

/** Message lists show only the first words of a text. */
const beginningLength = 100;
const { text, ...columns } = getTableColumns(message);
const shown = { ...columns, beginning: sql<string>`substr(${text}, 1, ${sql.raw(String(beginningLength))})` };

/** Failed messages have a partial index, which SQLite uses only if the state is a literal in the statement. */
function inStates(states: readonly MessageState[]): SQL {
  const isFailed = states.length === 1 && states[0] === "failed";
  return isFailed ? sql`${message.state} = 'failed'` : inArray(message.state, [...states]);
}

function conditionsOf(filter: MessageFilter): SQL[] {
  const conditions: SQL[] = [];
  if (filter.accountId !== undefined) conditions.push(eq(message.accountId, filter.accountId));
  if (filter.sender !== undefined) conditions.push(eq(message.sender, filter.sender));
  if (filter.recipient !== undefined) conditions.push(eq(message.recipient, filter.recipient));
  if (filter.clientReference !== undefined) conditions.push(eq(message.clientReference, filter.clientReference));
  // Digits only, so nothing in it is special to LIKE.
  if (filter.recipientEnd !== undefined) conditions.push(like(message.recipient, `%${filter.recipientEnd}`));
  if (filter.states !== undefined) conditions.push(inStates(filter.states));
  if (filter.routeIds !== undefined) conditions.push(inArray(message.routeId, [...filter.routeIds]));
  if (filter.errorCode !== undefined) conditions.push(eq(message.errorCode, filter.errorCode));
  conditions.push(...laterConditions(filter));
  if (filter.from !== undefined) conditions.push(gte(message.submittedAt, filter.from));
  if (filter.to !== undefined) conditions.push(lt(message.submittedAt, filter.to));
  return conditions;
}

const goesAt = sql`coalesce(${message.sendAt}, ${message.submittedAt})`;

/** No index has these: a search walks the messages in slices. */
function laterConditions(filter: MessageFilter): SQL[] {
  const { slower, dueFrom, dueTo, smppCredentialId } = filter;
  const conditions: SQL[] = [];
  if (filter.class !== undefined) conditions.push(eq(message.class, filter.class));
  if (filter.network !== undefined) conditions.push(eq(message.network, filter.network));
  if (filter.apiKeyId !== undefined) conditions.push(eq(message.apiKeyId, filter.apiKeyId));
  if (slower !== undefined)
    conditions.push(sql`coalesce(${message.finalAt}, ${slower.now}) - ${goesAt} > ${slower.thanMs}`);
  const dueAt = sql`coalesce(${message.dueAt}, ${goesAt})`;
  if (dueFrom !== undefined) conditions.push(sql`${dueAt} >= ${dueFrom}`);
  if (dueTo !== undefined) conditions.push(sql`${dueAt} < ${dueTo}`);
  if (smppCredentialId !== undefined)
    conditions.push(
      sql`EXISTS (SELECT 1 FROM smpp_submit WHERE message_id = ${message.id} AND credential_id = ${smppCredentialId})`,
    );
  return conditions;
}

export class MessageSearchTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** One past the newest message: where a search starts. */
  end(): number {
    const newest = this.drizzle.select({ id: max(message.id) }).from(message);
    return (newest.get()?.id ?? 0) + 1;
  }

  /** The newest id below which nothing is hidden: runs published later have higher ids. */
  newest(): number {
    const first = this.#hidden().map(({ firstMessageId }) => firstMessageId);
    return Math.min(this.end(), ...first) - 1;
  }

  /** Matches among the ids from `firstId` up to but not including `beforeId`; newest first, at most `limit`. */
  slice(filter: MessageFilter, firstId: number, beforeId: number, limit: number): FoundMessage[] {
    return this.#matching(filter, [gte(message.id, firstId), lt(message.id, beforeId)], limit);
  }

  /** Matches among these ids; newest first, at most `limit`. */
  among(filter: MessageFilter, ids: readonly number[], limit: number): FoundMessage[] {
    return this.#matching(filter, [inArray(message.id, [...ids])], limit);
  }

  /** When the oldest message with at least this id was accepted; null if there is none. */
  acceptedAt(id: number): number | null {
    const from = this.drizzle.select({ at: message.submittedAt }).from(message).where(gte(message.id, id));
    return from.orderBy(message.id).limit(1).get()?.at ?? null;
  }

  #matching(filter: MessageFilter, within: readonly SQL[], limit: number): FoundMessage[] {
    const conditions = [...within, ...this.#notHidden(), ...conditionsOf(filter)];
    const matching = this.drizzle.select(shown).from(message);
    return matching
      .where(and(...conditions))
      .orderBy(desc(message.id))
      .limit(limit)
      .all();
  }

  /** Messages of an unpublished run are not accepted. Read each time, because another connection writes. */
  #notHidden(): SQL[] {
    return this.#hidden().map(({ firstMessageId, messageCount }) =>
      notBetween(message.id, firstMessageId, firstMessageId + messageCount - 1),
    );
  }

  #hidden() {
    return this.drizzle.select().from(stagedRun).where(isNull(stagedRun.publishedAt)).all();
  }
}
