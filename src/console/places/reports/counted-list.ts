/** From a figure of a report to the list of the messages that it counts. */
import { LocalCalendar } from "../../../domain/local-calendar.ts";
import type { FiguresAnswer } from "../../../operator/figures.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { Locale } from "../../locale.ts";
import { epochOf } from "../messages/message-state.ts";

const hourMs = 3_600_000;

export type Dimension = "account" | "sender" | "route" | "network" | "day" | "hour" | "month";

/** The whole of a report. */
export interface Counted {
  from: number;
  to: number;
  /** The account that it is of; null for all. */
  account: string | null;
}

/** With a query: more of it can be appended. */
export function countedList({ from, to, account }: Counted, more: Readonly<Record<string, string>> = {}): string {
  const of: Record<string, string> = account === null ? {} : { account };
  return `/messages?${new URLSearchParams({ from: isoTime(from), to: isoTime(to), ...of, ...more })}`;
}

/** Null where the list knows no such filter: an unknown route or network. */
export function rowList(whole: Counted, row: FiguresAnswer, by: Dimension, locale: Locale): string | null {
  const period = periodOf(row, by, locale);
  if (period !== null) {
    const within = { from: Math.max(whole.from, period.from), to: Math.min(whole.to, period.to) };
    return countedList({ ...whole, ...within });
  }
  const value = by === "account" ? row.id : row.name;
  return value === null ? null : countedList(whole, { [by]: value });
}

function periodOf({ at }: FiguresAnswer, by: Dimension, { format }: Locale): { from: number; to: number } | null {
  const calendar = new LocalCalendar(format.zone, format.calendar);
  const moment = epochOf(at);
  const day = calendar.day(moment);
  switch (by) {
    case "hour": {
      const from = day.startsAt + Math.floor((moment - day.startsAt) / hourMs) * hourMs;
      return { from, to: from + hourMs };
    }
    case "day":
      return { from: day.startsAt, to: day.endsAt };
    case "month": {
      const { startsAt, endsAt } = calendar.month(moment);
      return { from: startsAt, to: endsAt };
    }
    default:
      return null;
  }
}
