/** Doing the same with all messages that a search finds: which they are, and what became of it. */
import { systemClock } from "../../platform/clock.ts";
import type { Locale } from "../locale.ts";
import type { ConsoleApi } from "./console-api.ts";
import { filterOf, type MessageQuery, withFixedTimes } from "./message-query.ts";
import { shownMeaning } from "./message-search.ts";

export const bulkDeeds = ["resend", "cancel"] as const;
export type BulkDeed = (typeof bulkDeeds)[number];

/** Which messages it can be done with. */
const statusOf = { resend: "failed", cancel: "queued" } as const satisfies Record<BulkDeed, MessageQuery["status"]>;

/** The most that one request of the operator API takes. */
const codesPerRequest = 500;
export const bulkMessagesMax = 5_000;
/** A search that looks at millions of messages for few ends here. */
const lookMsMax = 20_000;
/** From so many on their number is typed before it is done. */
export const bulkTypedFrom = 101;

/** The list whose messages are meant, if it is one: a search for messages that this can be done with. */
export function bulkDeedOf(query: MessageQuery): BulkDeed | null {
  return bulkDeeds.find((deed) => query.status === statusOf[deed]) ?? null;
}

/** What was accepted after the question is not meant. */
export function bulkQuery(query: MessageQuery, deed: BulkDeed, now: number): MessageQuery {
  const fixed = withFixedTimes({ ...query, status: statusOf[deed] }, now);
  return { ...fixed, to: fixed.to === "" ? new Date(now).toISOString() : fixed.to };
}

export interface BulkCodes {
  /** Newest first. */
  codes: string[];
  /** There may be more of them. */
  isCut: boolean;
}

export async function bulkCodes(
  api: ConsoleApi,
  query: MessageQuery,
  { format }: Locale,
  signal: AbortSignal,
): Promise<BulkCodes> {
  const endsAt = systemClock.monotonic() + lookMsMax;
  const meaning = await shownMeaning(api, query, format.now, signal);
  const filter = filterOf(query, meaning, format.now);
  const codes: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const limit = Math.min(codesPerRequest, bulkMessagesMax - codes.length);
    const page: { messages: { trackingCode: string }[]; nextCursor: string | null } = await api(
      "GET /messages",
      { ...filter, limit, ...(cursor !== null && { cursor }) },
      { signal },
    );
    codes.push(...page.messages.map(({ trackingCode }) => trackingCode));
    cursor = page.nextCursor;
    if (cursor === null) return { codes, isCut: false };
    if (codes.length >= bulkMessagesMax || systemClock.monotonic() > endsAt) return { codes, isCut: true };
  }
}

export interface BulkResult {
  done: number;
  refused: number;
}

/** Oldest first, as they were accepted. */
export async function bulkDo(api: ConsoleApi, deed: BulkDeed, codes: readonly string[]): Promise<BulkResult> {
  const inOrder = codes.toReversed();
  const result = { done: 0, refused: 0 };
  for (let from = 0; from < inOrder.length; from += codesPerRequest) {
    const trackingCodes = inOrder.slice(from, from + codesPerRequest);
    const outcomes: readonly { refused: unknown }[] = await (deed === "resend"
      ? api("POST /messages/resend", { trackingCodes })
      : api("POST /messages/cancel", { trackingCodes }));
    const refused = outcomes.filter((outcome) => outcome.refused !== null).length;
    result.refused += refused;
    result.done += outcomes.length - refused;
  }
  return result;
}
