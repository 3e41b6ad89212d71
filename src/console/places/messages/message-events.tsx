/** Tells an open list how many messages were accepted since it was rendered. Nothing runs while no list is open. */
import { OperatorError, operatorErrors } from "../../../domain/operator-error.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/log.ts";
import { renderPartial } from "../../html.tsx";
import { createLocale, type Locale } from "../../locale.ts";
import type { PageEvents } from "../../page/page.ts";
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

const lookMs = 2_000;
/** Counting pauses for this many times as long as it took. */
const restFactor = 20;

export class MessageEvents {
  readonly #deps: MessageEventsDeps;

  constructor(deps: MessageEventsDeps) {
    this.#deps = deps;
  }

  for(list: OpenList): PageEvents {
    return {
      start: (send) => {
        const ended = new AbortController();
        let timer: Timer | null = null;
        let told = 0;
        const look = async () => {
          const { clock, log } = this.#deps;
          const begunAt = clock.monotonic();
          try {
            const found = await list.count(ended.signal);
            if (found.messages !== told) send({ name: null, data: this.#piece(list, found) });
            told = found.messages;
            if (found.more) return;
          } catch (reason) {
            if (ended.signal.aborted || isRefusal(reason)) return;
            log.error({ err: reason }, "an open list was not told what is new");
          }
          const rest = Math.max(lookMs, restFactor * (clock.monotonic() - begunAt));
          if (!ended.signal.aborted) timer = clock.after(rest, () => void look());
        };
        timer = this.#deps.clock.after(lookMs, () => void look());
        return () => {
          ended.abort();
          timer?.cancel();
        };
      },
    };
  }

  #piece({ locale, href }: OpenList, { messages, more }: NewMessages): string {
    const drawn = createLocale({ ...locale, now: this.#deps.clock.now() });
    const markup = renderPartial(drawn, <NewRows count={messages} more={more} href={href} />);
    return `<hx-partial hx-target="#${newRowsId}" hx-swap="innerHTML">${markup}</hx-partial>`;
  }
}
