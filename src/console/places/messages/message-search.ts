/** Searches messages by typed text, trying each of its possible meanings. */
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { type ConsoleApi, orNone } from "../../page/console-api.ts";
import { filterOf, type MessageQuery, meaningsOf, type SearchedFor } from "./message-query.ts";

export interface FoundMessages {
  messages: MessageSummaryAnswer[];
  nextCursor: string | null;
  lookedBackTo: string | null;
}

/** The message with exactly the typed code; null if there is none. */
export async function messageNamed(api: ConsoleApi, q: string): Promise<string | null> {
  const [first] = meaningsOf(q);
  if (first === undefined || !("code" in first)) return null;
  const found = await orNone(api("GET /messages/:trackingCode", { trackingCode: first.code }));
  return found === null ? null : first.code;
}

/** The meaning that a message list uses: an export, or an action on all of them, must use the same. */
export async function shownMeaning(
  api: ConsoleApi,
  query: MessageQuery,
  now: number,
  signal: AbortSignal,
): Promise<SearchedFor | null> {
  if (query.q === "") return null;
  return (await searchMeant(api, query, { limit: 1 }, now, signal)).meaning;
}

/** The first meaning that finds something, or has more to search. */
export async function searchMeant(
  api: ConsoleApi,
  query: MessageQuery,
  page: { limit: number; cursor?: string },
  now: number,
  signal?: AbortSignal,
): Promise<{ found: FoundMessages; meaning: SearchedFor | null }> {
  const typed: (SearchedFor | null)[] = meaningsOf(query.q).filter((meaning) => !("code" in meaning));
  let found: FoundMessages = { messages: [], nextCursor: null, lookedBackTo: null };
  let shown: SearchedFor | null = null;
  for (const meaning of typed.length === 0 ? [null] : typed) {
    shown = meaning;
    found = await api("GET /messages", { ...filterOf(query, meaning, now), ...page }, { signal });
    if (found.messages.length > 0 || found.nextCursor !== null) break;
  }
  return { found, meaning: shown };
}
