/** Data for the message list: what a search found, how far back it looked, and the available filters. */
import { messageClassNames, messageErrorCodes, publicStatuses } from "../../../domain/message.ts";
import type { ConsoleAction } from "../../../domain/roles.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { FieldErrors, Option } from "../../components/forms.tsx";
import { readForForm } from "../../components/listed-field.tsx";
import type { Chip } from "../../components/records.tsx";
import type { SearchFilter } from "../../components/search.tsx";
import { dayStart } from "../../format/calendar.ts";
import type { Locale } from "../../locale.ts";
import { accountFilter, namedFilter, type WrongName, withChosen, wordFilter } from "../../page/accounts-and-senders.ts";
import { type ConsoleApi, orNone } from "../../page/console-api.ts";
import { type BulkAction, bulkActionOf } from "./bulk-view.ts";
import { campaignTitle } from "./campaign-title.ts";
import { listWords } from "./list-words.ts";
import type { DayCount } from "./message-list.tsx";
import { type MessageQuery, queryText, rangeNames, slowerNames, withFixedTimes } from "./message-query.ts";
import { type FoundMessages, searchMeant } from "./message-search.ts";
import { epochOrNull, type ReadBy, statusPills } from "./message-state.ts";
import { intoNextDayMs, shownTimes, shownTimesField, timesForFields } from "./message-times.ts";
import { messageTimeWords } from "./time-words.ts";
import { messagesWords } from "./words.ts";

export interface FilterField extends Omit<SearchFilter, "label"> {
  name: Exclude<keyof MessageQuery, "q">;
}

export const filterNames = ({ language, words }: Locale): Readonly<Record<FilterField["name"], string>> => ({
  ...words.terms,
  ...messagesWords[language].filter,
});

const rowsShown = 50;
const campaignsListed = 50;

/** What is wrong with a typed route's name, if no route is called so. Customers see no routes and never filter by them. */
export async function unknownRoute(
  api: ConsoleApi,
  typed: string,
  { language }: Locale,
): Promise<WrongName | undefined> {
  if (typed === "" || (await api("GET /routes")).some(({ name }) => name === typed)) return undefined;
  return { typed, error: messagesWords[language].noRoute(typed) };
}

export interface MessagesSources {
  api: ConsoleApi;
  locale: Locale;
  readBy: ReadBy;
  may(action: ConsoleAction): boolean;
  signal?: AbortSignal;
  /** The values and errors of a form that was refused. */
  times?: { typed: { from: string; to: string; due: string }; errors: FieldErrors };
  wrongAccount?: WrongName | undefined;
  wrongRoute?: WrongName | undefined;
}

function bulkOf(query: MessageQuery, { may }: MessagesSources): { action: BulkAction; href: string } | null {
  const action = bulkActionOf(query);
  if (action === null || !may(`messages.${action}`)) return null;
  return { action, href: `/messages/${action}${queryText(query)}` };
}

/** In the address of a list that is followed. */
export const followField = "follow";

interface Place {
  /** The cursor of an older page; empty for the first. */
  before: string;
  isFollowed: boolean;
}

export type MessagesView = Awaited<ReturnType<typeof messagesView>>;

export async function messagesView(sources: MessagesSources, query: MessageQuery, { before, isFollowed }: Place) {
  const { api, locale, readBy } = sources;
  // Read first: a message accepted during the search is reported twice rather than missed.
  const isNewest = before === "" && query.to === "";
  const newest = isNewest ? (await api("GET /messages/newer")).newest : null;
  const searching = search(sources, query, before);
  const [found, filters, total, days] = await Promise.all([
    searching,
    filterFields(sources, query),
    countedTotal(sources, query),
    searching.then(({ messages }) => countedDays(sources, query, messages)),
  ]);
  const { messages, nextCursor, lookedBackTo } = found;
  const fixed = withFixedTimes(query, locale.format.now);
  const isWhole =
    queryText(query) === "" && before === "" && sources.wrongAccount === undefined && sources.wrongRoute === undefined;
  return {
    query: query.q,
    filters,
    /** Hidden fields that the form also carries. */
    hidden: [{ name: shownTimesField, value: shownTimes(query) }],
    chips: chipsOf(query, filters, locale),
    readBy,
    rows: messages,
    days,
    pages: {
      range: rangeText(found, total, locale),
      newer: before === "" ? null : `/messages${queryText(query)}`,
      older: nextCursor === null ? null : `/messages${queryText({ ...query, before: nextCursor })}`,
    },
    /** How far back the search got before it stopped, in epoch milliseconds; null if it covered everything. */
    lookedBackTo: nextCursor === null ? null : epochOrNull(lookedBackTo),
    /** The stream that reports newly accepted messages; null if none of them could appear on this page. */
    live: newest === null ? null : liveHref(query, newest, isFollowed),
    /** Following the list: on or not, and the addresses of both; null for an older page. */
    tail:
      newest === null
        ? null
        : { isOn: isFollowed, stop: `/messages${queryText(query)}`, goOn: withField(query, followField, "on") },
    csv: `/messages.csv${queryText(query)}`,
    /** The actions on all matches; null if none is possible or permitted. */
    bulk: bulkOf(query, sources),
    /** The same list with fixed times, valid tomorrow too; null if its times are fixed already. */
    fixedTimesPath: query.range === "" ? null : `/messages${queryText(fixed)}`,
    /** No message was ever sent. */
    untouched: isWhole && messages.length === 0 && nextCursor === null,
  };
}

function withField(query: MessageQuery, name: string, value: string, path = "/messages"): string {
  return `${path}?${new URLSearchParams([...new URLSearchParams(queryText(query)), [name, value]])}`;
}

function liveHref(query: MessageQuery, since: string, isFollowed: boolean): string {
  const counted = withField(query, "since", since, "/messages/live");
  return isFollowed ? `${counted}&${followField}=on` : counted;
}

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
async function countedTotal(sources: MessagesSources, query: MessageQuery): Promise<number | null> {
  const { locale } = sources;
  const { from, to } = withFixedTimes(query, locale.format.now);
  if (!isCounted(query) || from === "") return null;
  const until = to === "" ? new Date(locale.format.now).toISOString() : to;
  const [row] = await counted(sources, query, { from, to: until, by: "all" });
  return row === undefined ? null : matchesOf(row, query);
}

/** The figures know accounts, routes, senders, statuses, errors and times. */
const isCounted = (query: MessageQuery): boolean =>
  [query.q, query.campaign, query.class, query.network, query.via, query.slower, query.due].every(
    (one) => one === "",
  ) &&
  (query.sender === "" || query.account !== "");

type Counted = AnswerOf<"GET /figures">[number];

async function counted(
  { api, locale, signal }: MessagesSources,
  { account, route, sender }: MessageQuery,
  period: { from: string; to: string; by: "all" | "day" },
): Promise<readonly Counted[]> {
  const chosen = {
    ...(account !== "" && { account }),
    ...(route !== "" && { route }),
    ...(sender !== "" && { sender }),
  };
  const waiting = AbortSignal.timeout(countMsMax);
  const ended = signal === undefined ? waiting : AbortSignal.any([signal, waiting]);
  const asked = { ...period, timeZone: locale.format.zone, ...chosen };
  return (await orNone(api("GET /figures", asked, { signal: ended }))) ?? [];
}

/** Of the counted messages, those with the status or error that is asked for. */
function matchesOf({ messages, statuses, errors }: Counted, { status, error }: MessageQuery): number {
  if (error !== "") return status === "" || status === "failed" ? (errors[error] ?? 0) : 0;
  return status === "" ? messages : (statuses[status] ?? 0);
}

/** Of the days that have a row here. */
async function countedDays(sources: MessagesSources, query: MessageQuery, rows: FoundMessages["messages"]) {
  const days = new Map<string, DayCount>();
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (!isCounted(query) || newest === undefined || oldest === undefined) return days;
  const { format } = sources.locale;
  const { from, to } = withFixedTimes(query, format.now);
  const begin = dayStart(Date.parse(oldest.submittedAt), format.zone);
  const end = dayStart(dayStart(Date.parse(newest.submittedAt), format.zone) + intoNextDayMs, format.zone);
  const first = Math.max(begin, epochOrNull(from || null) ?? 0);
  const last = Math.min(end, epochOrNull(to || null) ?? end);
  const period = { from: new Date(first).toISOString(), to: new Date(last).toISOString(), by: "day" } as const;
  for (const row of await counted(sources, query, period)) {
    const { delivered = 0, failed = 0 } = row.statuses;
    const isChosen = query.status !== "" || query.error !== "";
    const rate = isChosen || delivered + failed === 0 ? null : delivered / (delivered + failed);
    days.set(format.date(row.at), { messages: matchesOf(row, query), rate });
  }
  return days;
}

function timeFields({ locale, times }: MessagesSources, query: MessageQuery): FilterField[] {
  const say = messagesWords[locale.language].times;
  const { typed, errors } = times ?? { typed: timesForFields(query, locale), errors: {} };
  return (["from", "to", "due"] as const).map((name) => ({
    name,
    value: typed[name],
    placeholder: name === "due" ? (say.example.split(" ")[0] ?? "") : say.example,
    error: errors[name],
    script: "digits",
  }));
}

/** Keys and credentials: of all accounts only where there are few. */
async function viaField({ api, locale }: MessagesSources, query: MessageQuery): Promise<FilterField[]> {
  const { language, words } = locale;
  const say = listWords[language];
  const [keys, credentials] = await Promise.all([
    api("GET /keys", { limit: readForForm, ...(query.account !== "" && { account: query.account }) }),
    api("GET /credentials", {}),
  ]);
  const options: Option[] = [
    ...keys.rows.map(({ id, name }) => ({ value: id, label: name })),
    ...credentials
      .slice(0, readForForm)
      .map(({ id, name, kind }) => ({ value: id, label: say.credential(name, kind) })),
  ];
  if (options.length === 0 && query.via === "") return [];
  return [namedFilter("via", query.via, { options, choices: "keys", words })];
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
    wordFilter("error", query.error, [messageErrorCodes, say.errors], words),
    wordFilter("range", query.range, [rangeNames, say.ranges], words),
    ...timeFields(sources, query),
    wordFilter("class", query.class, [messageClassNames, messageTimeWords[language].className], words),
    wordFilter("slower", query.slower, [slowerNames, listWords[language].slower], words),
    ...(await viaField(sources, query)),
    ...(await campaignField(sources, query)),
  ];
  if (readBy === "customer") {
    const { rows } = await api("GET /senders", { limit: readForForm });
    const options = rows.map(({ sender }) => ({ value: sender, label: sender }));
    return [...fields, namedFilter("sender", query.sender, { options, choices: "senderNames", words })];
  }
  const [routes, networks, accounts] = await Promise.all([
    api("GET /routes"),
    api("GET /networks"),
    accountFilter(api, query.account, locale, sources.wrongAccount),
  ]);
  const routeOptions = routes.map(({ name }) => ({ value: name, label: name }));
  const networkOptions = networks.map(({ name }) => ({ value: name, label: name }));
  return [
    ...fields,
    namedFilter("route", query.route, { options: routeOptions, choices: "routes", words, wrong: sources.wrongRoute }),
    { name: "network", value: query.network, options: [any, ...withChosen(networkOptions, query.network)] },
    ...accounts,
    // A text field: all accounts together may have thousands.
    { name: "sender", value: query.sender, script: "digits", choices: "senderNames" },
  ];
}

function chipsOf(query: MessageQuery, filters: readonly FilterField[], locale: Locale): Chip[] {
  const { language, format } = locale;
  const say = messagesWords[language];
  const names = filterNames(locale);
  const chips = filters
    .filter(({ name, value, error }) => value !== "" && error === undefined && name !== "from" && name !== "to")
    .map(({ name, value, options, chosen }) => ({
      name: names[name],
      value: chosen ?? options?.find((option) => option.value === value)?.label ?? value,
      without: `/messages${queryText({ ...query, [name]: "" })}`,
    }));
  const isShown = new Set(filters.map(({ name }) => name));
  const unlisted = (["sender", "account", "route"] as const).filter((name) => query[name] !== "" && !isShown.has(name));
  const others = unlisted.map((name) => ({
    name: names[name],
    value: query[name],
    without: `/messages${queryText({ ...query, [name]: "" })}`,
  }));
  if (query.from === "" && query.to === "") return [...chips, ...others];
  const moment = (iso: string): string => (iso === "" ? say.ranges.open : format.dayAndClock(iso));
  const time = {
    name: names.range,
    value: say.ranges.between(moment(query.from), moment(query.to)),
    without: `/messages${queryText({ ...query, from: "", to: "" })}`,
  };
  return [...chips, ...others, time];
}
