/** Keeps open pages current: reads again what each shows, and sends it where it changed. Nothing runs while none is open. */
import { OperatorError, operatorErrors } from "../../domain/operator-error.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { TurnShare } from "../../platform/turn-share.ts";
import type { NextFormNumber } from "../components/post-form.tsx";
import { renderPartial } from "../html.tsx";
import type { Locale } from "../locale.ts";
import type { LiveLook, PageEvents } from "../page/page.ts";

export interface LivePagesDeps {
  clock: Pick<Clock, "after" | "monotonic">;
  log: Pick<Logger, "error">;
  turns: Pick<TurnShare, "run">;
  nextFormNumber: NextFormNumber;
}

export interface WatchedPage {
  /** With the present moment. */
  locale(): Locale;
  look(locale: Locale): Promise<LiveLook>;
}

const lookMs = 1_000;
/** Durations on a page go on although nothing happens. */
const redrawMs = 5_000;
/** What it shows is no longer there, such as a message that was erased. */
const goneLookMs = 60_000;
/** Looking pauses for this many times as long as it took. */
const restFactor = 20;

const isRefusal = (reason: unknown): boolean =>
  reason instanceof OperatorError && operatorErrors[reason.code].status < 500;

export class LivePages {
  constructor(private readonly deps: LivePagesDeps) {}

  for({ locale: present, look }: WatchedPage): PageEvents {
    const { clock, log, turns } = this.deps;
    return {
      start: (send) => {
        const nextFormNumber = this.#sameNumbers();
        let hasLeft = false;
        let timer: Timer | null = null;
        const shown = { seen: "", drawn: "", at: Number.NEGATIVE_INFINITY };
        const show = ({ seen, page }: LiveLook, locale: Locale) => {
          const now = clock.monotonic();
          if (hasLeft || (shown.seen === seen && now - shown.at < redrawMs)) return;
          const drawn = renderPartial(locale, page, nextFormNumber());
          if (drawn !== shown.drawn) send({ name: null, data: drawn });
          Object.assign(shown, { seen, drawn, at: now });
        };
        const lookAgain = async () => {
          const begunAt = clock.monotonic();
          let rest = lookMs;
          try {
            const locale = present();
            const found = await look(locale);
            await turns.run(() => show(found, locale));
          } catch (reason) {
            if (isRefusal(reason)) rest = goneLookMs;
            else log.error({ err: reason }, "an open page was not brought up to date");
          }
          const wait = Math.max(rest, restFactor * (clock.monotonic() - begunAt));
          if (!hasLeft) timer = clock.after(wait, () => void lookAgain());
        };
        timer = clock.after(lookMs, () => void lookAgain());
        return () => {
          hasLeft = true;
          timer?.cancel();
        };
      },
    };
  }

  /** The first form of each rendering has one number, the second another: nothing changes while the page does not. */
  #sameNumbers(): () => NextFormNumber {
    const numbers: string[] = [];
    return () => {
      let next = 0;
      return () => {
        numbers[next] ??= this.deps.nextFormNumber();
        next += 1;
        return numbers[next - 1] ?? "";
      };
    };
  }
}
