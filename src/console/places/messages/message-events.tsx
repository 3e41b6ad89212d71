/**
 * Tells an open list how many messages were accepted since it was rendered, or brings them to a reader who follows.
 * Nothing runs while no list is open.
 */
import { OperatorError, operatorErrors } from "../../../domain/operator-error.ts";
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/log.ts";
import { renderPartial } from "../../html.tsx";
import { createLocale, type Locale } from "../../locale.ts";
import type { PageEvents } from "../../page/page.ts";
import { FreshRows } from "./following.tsx";
import type { ReadBy } from "./message-state.ts";
import { NewRows, newRowsId } from "./messages.tsx";

export interface NewMessages {
  messages: number;
  /** There are more than were counted. */
  more: boolean;
}

interface MessageEventsDeps {
  clock: Pick<Clock, "after" | "monotonic" | "now">;
  log: Pick<Logger, "error">;
}

/** Something in the filters no longer exists, such as a route. The reader finds out with the next page. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof OperatorError && operatorErrors[reason.code].status < 500;

interface OpenList {
  locale: Pick<Locale, "language"> & { zone: string };
  /** The list including the new messages. */
  href: string;
  count(signal: AbortSignal): Promise<NewMessages>;
}

interface FollowedList {
  locale: OpenList["locale"];
  readBy: ReadBy;
  /** The newest message when the page was rendered. */
  since: string;
  /** What came since then; some of it as rows. */
  next(since: string, signal: AbortSignal): Promise<NewMessages & { rows: MessageSummaryAnswer[]; newest: string }>;
  /** A message as it is now. */
  one(trackingCode: string): Promise<MessageSummaryAnswer>;
}

/** Of the rows that were sent and are not final yet, those with another state. */
async function changedOf(open: Map<string, string>, one: FollowedList["one"]): Promise<MessageSummaryAnswer[]> {
  const now = await Promise.all([...open.keys()].map((code) => one(code)));
  const changed = now.filter(({ trackingCode, state }) => open.get(trackingCode) !== state);
  for (const { trackingCode, state, finalAt } of changed) {
    if (finalAt === null) open.set(trackingCode, state);
    else open.delete(trackingCode);
  }
  return changed;
}

const lookMs = 2_000;
const followMs = 1_000;
const followMsMax = 10 * 60_000;
/** Of the rows that were sent, so many are watched until they are final. */
const rowsWatched = 20;
/** Counting pauses for this many times as long as it took. */
const restFactor = 20;

export class MessageEvents {
  constructor(private readonly deps: MessageEventsDeps) {}

  for(list: OpenList): PageEvents {
    let told = 0;
    return this.#looking(lookMs, async (send, ended) => {
      const found = await list.count(ended);
      if (found.messages !== told) send(this.#piece(list, found));
      told = found.messages;
      return !found.more;
    });
  }

  /** New rows on top, and what becomes of them. Ends after ten minutes. */
  following({ locale, readBy, since, next, one }: FollowedList): PageEvents {
    const { clock } = this.deps;
    const begunAt = clock.monotonic();
    let [from, lookedAt] = [since, begunAt];
    const open = new Map<string, string>();
    return this.#looking(followMs, async (send, ended) => {
      const now = clock.monotonic();
      const sinceMs = now - lookedAt;
      const found = await next(from, ended);
      const changed = await changedOf(open, one);
      [from, lookedAt] = [found.newest, now];
      for (const row of found.rows) open.set(row.trackingCode, row.state);
      for (const code of [...open.keys()].slice(0, -rowsWatched)) open.delete(code);
      if (found.messages + changed.length > 0) {
        const drawn = createLocale({ ...locale, now: clock.now() });
        send(renderPartial(drawn, <FreshRows {...found} {...{ changed, sinceMs, readBy }} />));
      }
      return now - begunAt < followMsMax;
    });
  }

  /** Looks until `look` says that it is enough. */
  #looking(everyMs: number, look: (send: (data: string) => void, ended: AbortSignal) => Promise<boolean>): PageEvents {
    return {
      start: (send) => {
        const ended = new AbortController();
        let timer: Timer | null = null;
        const lookAgain = async () => {
          const { clock, log } = this.deps;
          const begunAt = clock.monotonic();
          try {
            if (!(await look((data) => send({ name: null, data }), ended.signal))) return;
          } catch (reason) {
            if (ended.signal.aborted || isRefusal(reason)) return;
            log.error({ err: reason }, "an open list was not told what is new");
          }
          const rest = Math.max(everyMs, restFactor * (clock.monotonic() - begunAt));
          if (!ended.signal.aborted) timer = clock.after(rest, () => void lookAgain());
        };
        timer = this.deps.clock.after(everyMs, () => void lookAgain());
        return () => {
          ended.abort();
          timer?.cancel();
        };
      },
    };
  }

  #piece({ locale, href }: OpenList, { messages, more }: NewMessages): string {
    const drawn = createLocale({ ...locale, now: this.deps.clock.now() });
    const markup = renderPartial(drawn, <NewRows count={messages} more={more} href={href} />);
    return `<hx-partial hx-target="#${newRowsId}" hx-swap="innerHTML">${markup}</hx-partial>`;
  }
}
