/** The times that the form of the list of messages takes: in the reader's calendar and zone. An address has them in ISO 8601. */
import type { FieldErrors } from "../components/forms.tsx";
import { dayStart } from "../format/calendar.ts";
import { momentForField, parseMoment } from "../format/input.ts";
import type { Locale } from "../locale.ts";
import { type MessageQuery, messageQueryOf } from "./message-query.ts";
import type { ReadBy } from "./message-state.ts";

/** A field of the form alone: the times with which it was drawn, to the millisecond, which its own fields do not show. */
export const shownTimesField = "shown";

export const shownTimes = ({ from, to }: Pick<MessageQuery, "from" | "to">): string => `${from}/${to}`;

/** Longer than any day, and shorter than two. */
const intoNextDayMs = 36 * 3_600_000;

const textOf = (iso: string, { language, format }: Locale): string =>
  iso === "" ? "" : momentForField(Date.parse(iso), language, format.zone);

/** What stands in the fields. */
export const timesForFields = (query: Pick<MessageQuery, "from" | "to">, locale: Locale) => ({
  from: textOf(query.from, locale),
  to: textOf(query.to, locale),
});

/** What a posted form asks for; null for an address that no form made. A day alone is meant to its end. */
export function queryOfForm(params: URLSearchParams, locale: Locale, readBy: ReadBy) {
  const shown = params.get(shownTimesField);
  if (shown === null) return null;
  const asked = messageQueryOf(params, readBy);
  const [shownFrom = "", shownTo = ""] = shown.split("/");
  const typed = { from: params.get("from")?.trim() ?? "", to: params.get("to")?.trim() ?? "" };
  const from = isoOf(typed.from, shownFrom, locale);
  const to = isoOf(typed.to, shownTo, locale, "end");
  const isOther = from !== shownFrom || to !== shownTo;
  // Whichever of the two the reader has just chosen.
  if (asked.range !== "" && !isOther) return { query: { ...asked, from: "", to: "" }, typed, errors: {} };
  const say = locale.words.messages.times;
  const errors: FieldErrors = {
    ...(from === null && { from: say.wrong }),
    ...(to === null && { to: say.wrong }),
    ...(from !== null && to !== null && from !== "" && to !== "" && from >= to && { to: say.order }),
  };
  const times = Object.keys(errors).length > 0 ? { from: "", to: "" } : { from: from ?? "", to: to ?? "" };
  const range = typed.from === "" && typed.to === "" ? asked.range : "";
  return { query: { ...asked, ...times, range }, typed, errors };
}

/** Null where there is no such day. */
function isoOf(text: string, shown: string, locale: Locale, edge: "begin" | "end" = "begin"): string | null {
  const { format } = locale;
  const isShown = !Number.isNaN(Date.parse(shown)) && text === textOf(shown, locale);
  if (text === "" || isShown) return text === "" ? "" : shown;
  const at = parseMoment(text, format.zone);
  if (at === null) return null;
  const isDay = !text.includes(":");
  return new Date(edge === "end" && isDay ? dayStart(at + intoNextDayMs, format.zone) : at).toISOString();
}
