/** The form for a report over dates of the reader's own, or about one account. */
import { isoTime } from "../../../platform/clock.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { dayStart } from "../../format/calendar.ts";
import { parseMoment } from "../../format/input.ts";
import { filteredAccount } from "../../page/accounts-and-senders.ts";
import type { PageCall } from "../../page/page.ts";
import type { ReportsForm } from "./reports-view.ts";
import { reportsWords } from "./words.ts";

/** Longer than any day, and shorter than two. */
const intoNextDayMs = 36 * 3_600_000;

/** The address with times in ISO 8601 and the account's id; or what was typed, and what is wrong with it. */
export async function askedReports(
  { api, locale, query, viewer }: Pick<PageCall, "api" | "locale" | "query" | "viewer">,
  path: string,
): Promise<{ href: string } | Omit<ReportsForm, "accounts">> {
  const { format } = locale;
  const say = reportsWords[locale.language].own;
  const typed = {
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
    account: query.get("account") ?? "",
  };
  const from = parseMoment(typed.since, format);
  const end = parseMoment(typed.until, format);
  // A bare date as the end includes that day.
  const to = end === null || typed.until.includes(":") ? end : dayStart(end + intoNextDayMs, format.zone);
  const isOwn = viewer.accountId !== null || typed.account === "";
  const { id, wrong } = isOwn ? { id: "" } : await filteredAccount(api, typed.account, locale);
  const errors: FieldErrors = {
    ...(from === null && { since: say.noTime }),
    ...(to === null && { until: say.noTime }),
    ...(from !== null && to !== null && from >= to && { until: say.order }),
    ...(wrong !== undefined && { account: wrong.error }),
  };
  if (from === null || to === null || Object.keys(errors).length > 0) return { ...typed, errors };
  const by = query.get("by");
  const asked = { from: isoTime(from), to: isoTime(to), ...(by !== null && { by }), ...(id !== "" && { account: id }) };
  return { href: `${path}?${new URLSearchParams(asked)}` };
}
