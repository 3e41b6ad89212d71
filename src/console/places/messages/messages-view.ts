/** Data for the message list: what a search found, how far back it looked, and the available filters. */
import { messageErrorCodes, publicStatuses } from "../../../domain/message.ts";
import type { ConsoleAction } from "../../../domain/roles.ts";
import type { FieldErrors, Option } from "../../components/forms.tsx";
import type { Chip } from "../../components/records.tsx";
import type { Locale } from "../../locale.ts";
import { accountFilter, optionsMax, type WrongAccount, withChosen } from "../../page/accounts-and-senders.ts";
import { type ConsoleApi, orNone } from "../../page/console-api.ts";
import { bulkActionOf } from "./bulk-view.ts";
import { campaignTitle } from "./campaign-title.ts";
import { type MessageQuery, queryText, rangeNames, withFixedTimes } from "./message-query.ts";
import { type FoundMessages, searchMeant } from "./message-search.ts";
import { epochOrNull, type ReadBy, statusPills } from "./message-state.ts";
import { shownTimes, shownTimesField, timesForFields } from "./message-times.ts";
import type { FilterField, MessagesView } from "./messages.tsx";
import { messagesWords } from "./words.ts";

const rowsShown = 50;
const campaignsListed = 50;

export interface MessagesSources {
  api: ConsoleApi;
  locale: Locale;
  readBy: ReadBy;
  may(action: ConsoleAction): boolean;
  signal?: AbortSignal;
  /** The values and errors of a form that was refused. */
  times?: { typed: { from: string; to: string }; errors: FieldErrors };
  wrongAccount?: WrongAccount | undefined;
}

function bulkOf(query: MessageQuery, { may }: MessagesSources): MessagesView["bulk"] {
  const action = bulkActionOf(query);
  if (action === null || !may(`messages.${action}`)) return null;
  return { action, href: `/messages/${action}${queryText(query)}` };
}

/** `before`: the cursor of an older page; empty for the first. */
export async function messagesView(
  sources: MessagesSources,
  query: MessageQuery,
  before: string,
): Promise<MessagesView> {
  const { api, locale, readBy } = sources;
  // Read first: a message accepted during the search is reported twice rather than missed.
  const isNewest = before === "" && query.to === "";
  const newest = isNewest ? (await api("GET /messages/newer")).newest : null;
  const [found, filters, total] = await Promise.all([
    search(sources, query, before),
    filterFields(sources, query),
    countedTotal(sources, query),
  ]);
  const { messages, nextCursor, lookedBackTo } = found;
  const fixed = withFixedTimes(query, locale.format.now);
  const isWhole = queryText(query) === "" && before === "" && sources.wrongAccount === undefined;
  return {
    query: query.q,
    filters,
    hidden: [{ name: shownTimesField, value: shownTimes(query) }],
    chips: chipsOf(query, filters, locale),
    readBy,
    rows: messages,
    pages: {
      range: rangeText(found, total, locale),
      newer: before === "" ? null : `/messages${queryText(query)}`,
      older: nextCursor === null ? null : `/messages${queryText({ ...query, before: nextCursor })}`,
    },
    lookedBackTo: nextCursor === null ? null : epochOrNull(lookedBackTo),
    live: newest === null ? null : liveHref(query, newest),
    csv: `/messages.csv${queryText(query)}`,
    bulk: bulkOf(query, sources),
    fixedTimesPath: query.range === "" ? null : `/messages${queryText(fixed)}`,
    untouched: isWhole && messages.length === 0 && nextCursor === null,
  };
}

const liveHref = (query: MessageQuery, since: string): string =>
  `/messages/live?${new URLSearchParams([...new URLSearchParams(queryText(query)), ["since", since]])}`;

async function search(
  { api, locale, signal }: MessagesSources,
  query: MessageQuery,
  before: string,
): Promise<FoundMessages> {
  const page = { limit: rowsShown, ...(before !== "" && { cursor: before }) };
  const { found } = await searchMeant(api, query, page, locale.format.now, signal);
  return found;
}

function rangeText(
  { messages, nextCursor, lookedBackTo }: FoundMessages,
  total: number | null,
  locale: Locale,
): string {
  const { language, format } = locale;
  const say = messagesWords[language];
  const count = format.count(messages.length);
  const back = epochOrNull(lookedBackTo);
  if (nextCursor === null) return say.shown(count);
  if (total !== null && total > messages.length) return say.shownOf(count, format.number(total));
  if (back === null || messages.length === rowsShown) return say.shown(count);
  return say.shownBackTo(count, format.dayAndClock(back));
}

/** Long enough for most, and short enough to wait for. */
const countMsMax = 300;

/** The approximate number of matches, where figures have it: by account, route, sender, status, error and time. */
async function countedTotal({ api, locale, signal }: MessagesSources, query: MessageQuery): Promise<number | null> {
  const { from, to } = withFixedTimes(query, locale.format.now);
  if (query.q !== "" || query.campaign !== "" || from === "" || (query.sender !== "" && query.account === ""))
    return null;
  const asked = {
    from,
    to: to === "" ? new Date(locale.format.now).toISOString() : to,
    by: "all" as const,
    ...(query.account !== "" && { account: query.account }),
    ...(query.route !== "" && { route: query.route }),
    ...(query.sender !== "" && { sender: query.sender }),
  };
  const waiting = AbortSignal.timeout(countMsMax);
  const ended = signal === undefined ? waiting : AbortSignal.any([signal, waiting]);
  const [row] = (await orNone(api("GET /figures", asked, { signal: ended }))) ?? [];
  if (row === undefined) return null;
  if (query.error !== "") return query.status === "" || query.status === "failed" ? (row.errors[query.error] ?? 0) : 0;
  return query.status === "" ? row.messages : (row.statuses[query.status] ?? 0);
}

function timeFields({ locale, times }: MessagesSources, query: MessageQuery): FilterField[] {
  const say = messagesWords[locale.language].times;
  const { typed, errors } = times ?? { typed: timesForFields(query, locale), errors: {} };
  return (["from", "to"] as const).map((name) => ({
    name,
    value: typed[name],
    placeholder: say.example,
    error: errors[name],
    script: "digits",
  }));
}

/** The newest campaigns; absent if there are none. */
async function campaignField({ api, locale }: MessagesSources, { account, campaign }: MessageQuery) {
  const campaigns = await api("GET /campaigns", { limit: campaignsListed, ...(account !== "" && { account }) });
  if (campaigns.length === 0 && campaign === "") return [];
  const options = campaigns.map((one) => ({ value: one.id, label: campaignTitle(one, locale) }));
  const any: Option = { value: "", label: locale.words.lists.any };
  return [{ name: "campaign" as const, value: campaign, options: [any, ...withChosen(options, campaign)] }];
}

async function filterFields(sources: MessagesSources, query: MessageQuery): Promise<FilterField[]> {
  const { api, locale, readBy } = sources;
  const { language, words } = locale;
  const say = messagesWords[language];
  const any: Option = { value: "", label: words.lists.any };
  const fields: FilterField[] = [
    {
      name: "status",
      value: query.status,
      options: [any, ...publicStatuses.map((value) => ({ value, label: words.states[statusPills[value]] }))],
    },
    {
      name: "error",
      value: query.error,
      options: [any, ...messageErrorCodes.map((value) => ({ value, label: say.errors[value] }))],
    },
    {
      name: "range",
      value: query.range,
      options: [any, ...rangeNames.map((value) => ({ value, label: say.ranges[value] }))],
    },
    ...timeFields(sources, query),
  ];
  fields.push(...(await campaignField(sources, query)));
  if (readBy === "customer") {
    const { rows } = await api("GET /senders", { limit: optionsMax });
    const options = rows.map(({ sender }) => ({ value: sender, label: sender }));
    return [...fields, { name: "sender", value: query.sender, options: [any, ...withChosen(options, query.sender)] }];
  }
  const [routes, accounts] = await Promise.all([
    api("GET /routes"),
    accountFilter(api, query.account, locale, sources.wrongAccount),
  ]);
  const routeOptions = routes.map(({ name }) => ({ value: name, label: name }));
  return [
    ...fields,
    { name: "route", value: query.route, options: [any, ...withChosen(routeOptions, query.route)] },
    ...accounts,
    // A text field: all accounts together may have thousands.
    { name: "sender", value: query.sender, script: "digits" },
  ];
}

function chipsOf(query: MessageQuery, filters: readonly FilterField[], { language, format }: Locale): Chip[] {
  const say = messagesWords[language];
  const chips = filters
    .filter(({ name, value, error }) => value !== "" && error === undefined && name !== "from" && name !== "to")
    .map(({ name, value, options, chosen }) => ({
      name: say.filter[name],
      value: chosen ?? options?.find((option) => option.value === value)?.label ?? value,
      without: `/messages${queryText({ ...query, [name]: "" })}`,
    }));
  const isShown = new Set(filters.map(({ name }) => name));
  const unlisted = (["sender", "account", "route"] as const).filter((name) => query[name] !== "" && !isShown.has(name));
  const others = unlisted.map((name) => ({
    name: say.filter[name],
    value: query[name],
    without: `/messages${queryText({ ...query, [name]: "" })}`,
  }));
  if (query.from === "" && query.to === "") return [...chips, ...others];
  const moment = (iso: string): string => (iso === "" ? say.ranges.open : format.dayAndClock(iso));
  const time = {
    name: say.filter.range,
    value: say.ranges.between(moment(query.from), moment(query.to)),
    without: `/messages${queryText({ ...query, from: "", to: "" })}`,
  };
  return [...chips, ...others, time];
}
