/**
 * Keeps open first pages current. One tick per second serves all of them: the state is read once, rendered once per
 * language, zone and role, and sent if it changed. Nothing ticks while no such page is open.
 */

import type { OverviewAnswer } from "../../../operator/overview.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/log.ts";
import { dayStart } from "../../format/calendar.ts";
import { renderPartial } from "../../html.tsx";
import { createLocale, type Locale } from "../../locale.ts";
import type { LastDay } from "../../page/last-hours.ts";
import type { PageEvent, PageEvents } from "../../page/page.ts";
import type { Viewer, ViewerReports } from "../../page/viewer.ts";
import { type Charged, type NowView, nowPieces, type TodayFigures } from "./now.tsx";
import { todayFigures } from "./now-view.ts";
import type { RightNow } from "./right-now.tsx";

export interface NowEventsDeps {
  overview(): Promise<OverviewAnswer>;
  lastDay(now: number): Promise<LastDay>;
  rightNow(): Promise<RightNow>;
  charged(zone: string, now: number): Promise<Charged | null>;
  reports: ViewerReports;
  clock: Clock;
  log: Pick<Logger, "error">;
}

type Reading = Pick<Viewer, "language" | "zone" | "role">;

/** Readers with the same language, zone and role, and what they last received. */
interface Audience extends Reading {
  readers: Map<(event: PageEvent) => void, Map<string, string>>;
  today: TodayFigures | null;
  /** Monotonic. */
  countAt: number;
}

const tickMs = 1_000;
/** The day's figures come from the reading thread, and change slowly. */
const countEveryMs = 10_000;
/** Charges are read account by account: one reading serves every page, and rests this many times as long as it took. */
const restFactor = 100;

export class NowEvents {
  readonly #audiences = new Map<string, Audience>();
  /** By time zone; `until`: monotonic. */
  readonly #charged = new Map<string, { day: number; until: number; read: Promise<Charged | null> }>();
  /** The same for all readers; `at`: monotonic. */
  #lastDay: { at: number; read: Promise<LastDay> } | null = null;
  #timer: Timer | null = null;

  constructor(private readonly deps: NowEventsDeps) {}

  for(reading: Reading): PageEvents {
    return { start: (send) => this.#join(reading, send) };
  }

  /** Of the day in this zone; at most a hundredth of the time is spent on it, however many ask. */
  charged(zone: string, now: number): Promise<Charged | null> {
    const { clock, charged } = this.deps;
    const [at, day, known] = [clock.monotonic(), dayStart(now, zone), this.#charged.get(zone)];
    if (known !== undefined && known.day === day && at < known.until) return known.read;
    const reading = { day, until: Number.POSITIVE_INFINITY, read: charged(zone, now) };
    this.#charged.set(zone, reading);
    const rest = () => {
      reading.until = clock.monotonic() + restFactor * (clock.monotonic() - at);
    };
    reading.read.then(rest, () => this.#charged.delete(zone));
    return reading.read;
  }

  #join({ language, zone, role }: Reading, send: (event: PageEvent) => void): () => void {
    const key = `${language} ${zone} ${role}`;
    const audience = this.#audiences.get(key) ?? {
      language,
      zone,
      role,
      readers: new Map(),
      today: null,
      countAt: 0,
    };
    this.#audiences.set(key, audience);
    audience.readers.set(send, new Map());
    this.#timer ??= this.deps.clock.after(0, () => void this.#tick());
    return () => {
      audience.readers.delete(send);
      if (audience.readers.size === 0) this.#audiences.delete(key);
    };
  }

  async #tick(): Promise<void> {
    const { overview: read, clock, log } = this.deps;
    try {
      const [overview, lastDay, now] = await Promise.all([read(), this.#readLastDay(), this.deps.rightNow()]);
      for (const audience of this.#audiences.values()) {
        const locale = createLocale({ ...audience, now: clock.now() });
        this.#show(audience, { overview, lastDay, now, today: await this.#today(audience) }, locale);
      }
    } catch (reason) {
      log.error({ err: reason }, "an open page was not brought up to date");
    }
    this.#timer = this.#audiences.size === 0 ? null : clock.after(tickMs, () => void this.#tick());
  }

  #readLastDay(): Promise<LastDay> {
    const { clock, lastDay } = this.deps;
    const at = clock.monotonic();
    const known = this.#lastDay;
    if (known !== null && at - known.at < countEveryMs) return known.read;
    const read = lastDay(clock.now());
    this.#lastDay = { at, read };
    return read;
  }

  async #today(audience: Audience): Promise<TodayFigures> {
    const { clock, reports } = this.deps;
    const { zone } = audience;
    const at = clock.monotonic();
    if (audience.today !== null && at < audience.countAt) return audience.today;
    const now = clock.now();
    audience.today = await todayFigures({ reports, charged: () => this.charged(zone, now), zone, now });
    audience.countAt = at + countEveryMs;
    return audience.today;
  }

  #show({ readers, role }: Audience, view: NowView, locale: Locale): void {
    const events = Object.entries(nowPieces(view, role)).map(([id, piece]) => {
      const markup = renderPartial(locale, piece);
      return {
        name: null,
        key: id,
        data: `<hx-partial hx-target="#${id}" hx-swap="innerMorph">${markup}</hx-partial>`,
      };
    });
    for (const [send, shown] of readers) {
      for (const { name, key, data } of events) {
        if (shown.get(key) === data) continue;
        shown.set(key, data);
        send({ name, data });
      }
    }
  }
}
