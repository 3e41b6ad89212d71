/**
 * Keeps open first pages current. One tick a second serves all of them: what runs is read once, drawn once for each language,
 * zone and role, and sent where it changed. Nothing ticks while no such page is open.
 */

import type { OverviewAnswer } from "../../operator/overview.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { nowViewOf, type TodayFigures, todayFigures } from "../data/now.ts";
import type { Viewer, ViewerReports } from "../data/viewer.ts";
import { renderPartial } from "../html.tsx";
import { createLocale, type Locale } from "../locale.ts";
import { liveOutcomes, type NowView, nowPieces } from "../pages/now.tsx";
import type { PageEvent, PageEvents } from "./page-events.ts";

export interface NowEventsDeps {
  overview(): Promise<OverviewAnswer>;
  reports: ViewerReports;
  clock: Clock;
  log: Pick<Logger, "error">;
}

type Reading = Pick<Viewer, "language" | "zone" | "role">;

/** Readers of one language, zone and role, and what they were shown. */
interface Audience extends Reading {
  readers: Map<(event: PageEvent) => void, Map<string, string>>;
  today: TodayFigures | null;
  /** Monotonic. */
  countedAt: number;
}

const tickMs = 1_000;
/** Figures of the day come from the reading thread, and move slowly. */
const countEveryMs = 10_000;

export class NowEvents {
  readonly #deps: NowEventsDeps;
  readonly #audiences = new Map<string, Audience>();
  #timer: Timer | null = null;

  constructor(deps: NowEventsDeps) {
    this.#deps = deps;
  }

  for(reading: Reading): PageEvents {
    return { start: (send) => this.#join(reading, send) };
  }

  #join({ language, zone, role }: Reading, send: (event: PageEvent) => void): () => void {
    const key = `${language} ${zone} ${role}`;
    const audience = this.#audiences.get(key) ?? {
      language,
      zone,
      role,
      readers: new Map(),
      today: null,
      countedAt: 0,
    };
    this.#audiences.set(key, audience);
    audience.readers.set(send, new Map());
    this.#timer ??= this.#deps.clock.after(0, () => void this.#tick());
    return () => {
      audience.readers.delete(send);
      if (audience.readers.size === 0) this.#audiences.delete(key);
    };
  }

  async #tick(): Promise<void> {
    const { overview: read, clock, log } = this.#deps;
    try {
      const overview = await read();
      for (const audience of this.#audiences.values()) {
        const locale = createLocale({ ...audience, now: clock.now() });
        this.#show(audience, nowViewOf(overview, await this.#today(audience), locale), locale);
      }
    } catch (reason) {
      log.error({ err: reason }, "an open page was not brought up to date");
    }
    this.#timer = this.#audiences.size === 0 ? null : clock.after(tickMs, () => void this.#tick());
  }

  async #today(audience: Audience): Promise<TodayFigures> {
    const { clock, reports } = this.#deps;
    const now = clock.monotonic();
    if (audience.today !== null && now - audience.countedAt < countEveryMs) return audience.today;
    audience.countedAt = now;
    audience.today = await todayFigures(reports, audience.zone, clock.now());
    return audience.today;
  }

  #show({ readers, role }: Audience, view: NowView, locale: Locale): void {
    const pieces = Object.entries(nowPieces(view, role)).map(([id, piece]) => {
      const markup = renderPartial(locale, piece);
      return {
        name: null,
        key: id,
        data: `<hx-partial hx-target="#${id}" hx-swap="innerMorph">${markup}</hx-partial>`,
      };
    });
    const events = [...pieces, { name: "outcomes", key: "outcomes", data: JSON.stringify(liveOutcomes(view)) }];
    for (const [send, shown] of readers) {
      for (const { name, key, data } of events) {
        if (shown.get(key) === data) continue;
        shown.set(key, data);
        send({ name, data });
      }
    }
  }
}
