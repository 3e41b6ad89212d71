/** The times in the message list's form, in the reader's calendar and zone. Addresses contain them in ISO 8601. */
import type { FieldErrors } from "../../components/forms.tsx";
import { dayStart } from "../../format/calendar.ts";
import { momentForField, parseMoment } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { type MessageQuery, messageQueryOf } from "./message-query.ts";
import type { ReadBy } from "./message-state.ts";
import { messagesWords } from "./words.ts";

/**
 * A field used only in the form: the times it was rendered with, to the millisecond, which its visible fields do not
 * show.
 */
export const shownTimesField = "shown";

export const shownTimes = ({ from, to }: Pick<MessageQuery, "from" | "to">): string => `${from}/${to}`;

/** Longer than any day, and shorter than two. */
export const intoNextDayMs = 36 * 3_600_000;

const textOf = (iso: string, { language, format }: Locale): string =>
  iso === "" ? "" : momentForField(Date.parse(iso), language, format.zone);

/** The values of the fields. A day is written without its time. */
export const timesForFields = ({ from, to, due }: Pick<MessageQuery, "from" | "to" | "due">, locale: Locale) => ({
  from: textOf(from, locale),
  to: textOf(to, locale),
  due: textOf(due.split("/")[0] ?? "", locale).split(" ")[0] ?? "",
});

/**
 * The query of a submitted form; null for an address that no form produced. A bare date as the end includes that day.
 */
export function queryOfForm(params: URLSearchParams, locale: Locale, readBy: ReadBy) {
  const shown = params.get(shownTimesField);
  if (shown === null) return null;
  const day = params.get("due")?.trim() ?? "";
  const due = dayOf(day, locale);
  const asked = { ...messageQueryOf(params, readBy), due: due ?? "" };
  const [shownFrom = "", shownTo = ""] = shown.split("/");
  const typed = { from: params.get("from")?.trim() ?? "", to: params.get("to")?.trim() ?? "", due: day };
  const from = isoOf(typed.from, shownFrom, locale);
  const to = isoOf(typed.to, shownTo, locale, "end");
  const isOther = from !== shownFrom || to !== shownTo;
  // Whichever of the two the reader has changed.
  const say = messagesWords[locale.language].times;
  const dueError: FieldErrors = due === null ? { due: say.wrong } : {};
  if (asked.range !== "" && !isOther) return { query: { ...asked, from: "", to: "" }, typed, errors: dueError };
  const errors: FieldErrors = {
    ...dueError,
    ...(from === null && { from: say.wrong }),
    ...(to === null && { to: say.wrong }),
    ...(from !== null && to !== null && from !== "" && to !== "" && from >= to && { to: say.order }),
  };
  const times = "from" in errors || "to" in errors ? { from: "", to: "" } : { from: from ?? "", to: to ?? "" };
  const range = typed.from === "" && typed.to === "" ? asked.range : "";
  return { query: { ...asked, ...times, range }, typed, errors };
}

/** The beginning and the end of the typed day; null if there is no such day. */
function dayOf(text: string, { format }: Locale): string | null {
  if (text === "") return "";
  const at = parseMoment(text, format);
  if (at === null) return null;
  const begin = dayStart(at, format.zone);
  const iso = (moment: number) => new Date(moment).toISOString();
  return `${iso(begin)}/${iso(dayStart(begin + intoNextDayMs, format.zone))}`;
}

/** Null if there is no such day. */
function isoOf(text: string, shown: string, locale: Locale, edge: "begin" | "end" = "begin"): string | null {
  const { format } = locale;
  const isShown = !Number.isNaN(Date.parse(shown)) && text === textOf(shown, locale);
  if (text === "" || isShown) return text === "" ? "" : shown;
  const at = parseMoment(text, format);
  if (at === null) return null;
  const isDay = !text.includes(":");
  return new Date(edge === "end" && isDay ? dayStart(at + intoNextDayMs, format.zone) : at).toISOString();
}
