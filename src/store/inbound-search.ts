/**
 * The operator's search of inbound messages: scans from the newest back, one bounded slice at a time, as the message
 * search does.
 */
import { and, desc, eq, gte, isNotNull, isNull, lt, max, type SQL } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { inbound } from "./schema.ts";

/** A match satisfies every given condition. Times are epoch milliseconds of `receivedAt`. */
export interface InboundFilter {
  accountId?: number | undefined;
  sender?: string | undefined;
  receiver?: string | undefined;
  /** No line assigns it to an account. */
  unmapped?: boolean | undefined;
  /** Parts of it are missing for good. */
  incomplete?: boolean | undefined;
  /** It holds something other than text. */
  binary?: boolean | undefined;
  /** Inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

export type FoundInbound = typeof inbound.$inferSelect;

function conditionsOf(filter: InboundFilter): SQL[] {
  const conditions: SQL[] = [];
  if (filter.accountId !== undefined) conditions.push(eq(inbound.accountId, filter.accountId));
  if (filter.sender !== undefined) conditions.push(eq(inbound.sender, filter.sender));
  if (filter.receiver !== undefined) conditions.push(eq(inbound.receiver, filter.receiver));
  if (filter.unmapped === true) conditions.push(isNull(inbound.accountId));
  if (filter.incomplete === true) conditions.push(lt(inbound.partsReceived, inbound.partCount));
  if (filter.binary === true) conditions.push(isNotNull(inbound.octets));
  if (filter.from !== undefined) conditions.push(gte(inbound.receivedAt, filter.from));
  if (filter.to !== undefined) conditions.push(lt(inbound.receivedAt, filter.to));
  return conditions;
}

export class InboundSearchTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** One past the newest message: where a search starts. */
  end(): number {
    const newest = this.drizzle.select({ id: max(inbound.id) }).from(inbound);
    return (newest.get()?.id ?? 0) + 1;
  }

  /** Matches among the ids from `firstId` up to but not including `beforeId`; newest first, at most `limit`. */
  slice(filter: InboundFilter, firstId: number, beforeId: number, limit: number): FoundInbound[] {
    const range = [gte(inbound.id, firstId), lt(inbound.id, beforeId)];
    const matching = this.drizzle
      .select()
      .from(inbound)
      .where(and(...range, ...conditionsOf(filter)));
    return matching.orderBy(desc(inbound.id)).limit(limit).all();
  }

  /** How many belong to no account, counting at most `most`. */
  unmappedCount(most: number): number {
    const unmapped = this.drizzle.select({ id: inbound.id }).from(inbound).where(isNull(inbound.accountId));
    return unmapped.limit(most).all().length;
  }
}
