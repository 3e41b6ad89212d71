/** One action for all messages that a search finds: which messages it applies to, and the outcome. */
import { systemClock } from "../../../platform/clock.ts";
import { parseWholeNumber } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import type { PageCall } from "../../page/page.ts";
import { again } from "../../page/usual-pages.tsx";
import { filterOf, type MessageQuery, withFixedTimes } from "./message-query.ts";
import { shownMeaning } from "./message-search.ts";
import { bulkWords } from "./words.ts";

export const bulkActions = ["resend", "cancel"] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The messages that the action is possible for. */
const statusOf = { resend: "failed", cancel: "queued" } as const satisfies Record<BulkAction, MessageQuery["status"]>;

/** The most that one request to the operator API accepts. */
const codesPerRequest = 500;
export const bulkMessagesMax = 5_000;
/** Stops a search that scans millions of messages for a few matches. */
const lookMsMax = 20_000;
/** From this many messages on, their number has to be typed to confirm. */
const bulkTypedFrom = 101;

/** What is asked for; null if so few need no number. */
export function typedCount(messages: number, { language, format }: Locale) {
  if (messages < bulkTypedFrom) return null;
  return { label: bulkWords[language].typed(format.count(messages).text), value: "" };
}

/** The question again if another number was typed; null to go on. */
export function otherCount(messages: number, { form, locale }: Pick<PageCall, "form" | "locale">) {
  const typed = typedCount(messages, locale);
  const value = form.text("typed");
  if (typed === null || parseWholeNumber(value) === messages) return null;
  const error = locale.words.forms.typeCount(locale.format.number(messages));
  return again({ typed: { ...typed, value, error } });
}

/** The list with the messages, if the query is one: a search restricted to messages that the action is possible for. */
export function bulkActionOf(query: MessageQuery): BulkAction | null {
  return bulkActions.find((action) => query.status === statusOf[action]) ?? null;
}

/** Excludes messages accepted after the confirmation was shown. */
export function bulkQuery(query: MessageQuery, action: BulkAction, now: number): MessageQuery {
  const fixed = withFixedTimes({ ...query, status: statusOf[action] }, now);
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

/** What a resend would cost. */
export interface BulkPlan {
  /** In the currency's smallest unit. */
  price: number;
  currency: string;
}

/** What sending them again would cost; null where nothing is charged. */
export async function resendPrice(
  api: ConsoleApi,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<BulkPlan | null> {
  const found = { price: 0, currency: "", isCharged: false };
  for (let from = 0; from < codes.length; from += codesPerRequest) {
    const trackingCodes = codes.slice(from, from + codesPerRequest);
    for (const { price, currency } of await api("POST /messages/resend", { trackingCodes, dryRun: true }, { signal })) {
      if (price === null) continue;
      found.price += price;
      found.currency = currency;
      found.isCharged = true;
    }
  }
  return found.isCharged ? found : null;
}

export interface BulkResult {
  done: number;
  refused: number;
}

/** Oldest first, in the order of acceptance. */
export async function performBulk(api: ConsoleApi, action: BulkAction, codes: readonly string[]): Promise<BulkResult> {
  const inOrder = codes.toReversed();
  const result = { done: 0, refused: 0 };
  for (let from = 0; from < inOrder.length; from += codesPerRequest) {
    const trackingCodes = inOrder.slice(from, from + codesPerRequest);
    const outcomes: readonly { refused: unknown }[] = await (action === "resend"
      ? api("POST /messages/resend", { trackingCodes })
      : api("POST /messages/cancel", { trackingCodes }));
    const refused = outcomes.filter((outcome) => outcome.refused !== null).length;
    result.refused += refused;
    result.done += outcomes.length - refused;
  }
  return result;
}
