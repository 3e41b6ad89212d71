/** What an operator may see of messages: one whole, with all that happened to it, and a search over all accounts. */
import { type MessageState, messageClasses, messageStates, type PublicStatus } from "../../domain/message.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { historyOf, publicStatusOf } from "../../domain/status.ts";
import type { FoundMessage, MessageFilter } from "../../store/message-search.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { PartRow, ReceiptState } from "../../store/parts.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";

/** Rows that one step of a search looks at: 10,000 take about 10 ms, and others are served in between. */
const stepRows = 10_000;
/** A request that searches longer ends early and says from where to go on. */
const searchMsMax = 2_000;
/** How far a wall clock that was set back may have made times run against the order of ids. */
const clockJumpMsMax = 24 * 3_600_000;

export interface SearchPage {
  messages: FoundMessage[];
  /** Ids below it were not looked at; null when there are none. */
  continueBefore: number | null;
}

export type MessageService = ReturnType<typeof messageService>;

export function messageService(store: Store, directory: Directory, clock: { monotonic(): number }) {
  const { messageSearch: found, messages, timeline, parts, orphanReceipts } = store.tables;
  const routeName = (id: number | null) => (id === null ? null : (directory.routeById(id)?.name ?? null));

  return {
    /** Newest first. Gives what it found within its time, which may be nothing yet. */
    async search(filter: MessageFilter, before: number | null, limit: number): Promise<SearchPage> {
      const startedAt = clock.monotonic();
      const gathered: FoundMessage[] = [];
      let end = before ?? found.end();
      while (end > 1 && clock.monotonic() - startedAt < searchMsMax) {
        const first = Math.max(end - stepRows, 1);
        const slice = found.slice(filter, first, end, limit - gathered.length);
        gathered.push(...slice);
        if (gathered.length >= limit) return { messages: gathered, continueBefore: gathered.at(-1)?.id ?? null };
        end = first;
        if (isBefore(found.acceptedAt(first), filter.from)) end = 1;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      return { messages: gathered, continueBefore: end > 1 ? end : null };
    },

    /** Throws `message_not_found`. */
    show(trackingCode: string) {
      const row = messages.byCodeAnywhere(trackingCode);
      if (row === null) throw new OperatorError("message_not_found");
      const accountName = directory.account(row.accountId)?.name ?? null;
      return {
        row,
        accountName,
        resentOf: row.resentOf === null ? null : (messages.byId(row.resentOf)?.trackingCode ?? null),
        routeName: routeName(row.routeId),
        text: visibleText(row),
        history: historyOf(row),
        parts: parts.ofMessage(row.id).map((part) => ({
          ...part,
          receipt: receiptOf(part, row),
          routeName: routeName(part.routeId),
        })),
        timeline: timeline.ofMessage(row.id).map((entry) => ({ ...entry, routeName: routeName(entry.routeId) })),
      };
    },

    /** The newest receipts of a route that match no message, the newest first. */
    unmatchedReceipts: (routeId: number) => orphanReceipts.unmatched(routeId, unmatchedMax),

    routeName,
  };
}

/** Enough to see how a carrier writes its ids. */
const unmatchedMax = 20;

/** The final receipt of a message of one part is not stored twice: the message's state is it. */
function receiptOf({ receipt }: PartRow, { partCount, state }: MessageRow): ReceiptState | null {
  return partCount === 1 && (state === "delivered" || state === "failed") ? state : receipt;
}

/** The code of a one-time password is for its recipient alone. */
function visibleText(row: MessageRow): string | null {
  return row.class === messageClasses.otp ? null : row.text;
}

function isBefore(acceptedAt: number | null, from: number | undefined): boolean {
  return acceptedAt !== null && from !== undefined && acceptedAt < from - clockJumpMsMax;
}

export function statesOf(status: PublicStatus): MessageState[] {
  return messageStates.filter((state) => publicStatusOf(state) === status);
}

/** `otp`, `single` or `bulk`. */
export function className(value: number): string {
  return Object.entries(messageClasses).find(([, number]) => number === value)?.[0] ?? String(value);
}
