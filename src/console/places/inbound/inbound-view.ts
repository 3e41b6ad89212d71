/** Data for the pages of inbound messages: the search, and one message. */

import { isTrackingCode } from "../../../domain/tracking-code.ts";
import type { InboundAnswer } from "../../../operator/inbound.ts";
import { readForForm } from "../../components/listed-field.tsx";
import type { Chip } from "../../components/records.tsx";
import type { SearchFilter } from "../../components/search.tsx";
import { cleanInput } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import {
  type AccountNames,
  accountFilter,
  accountNames,
  namedFilter,
  type WrongName,
  wordFilter,
} from "../../page/accounts-and-senders.ts";
import { type ConsoleApi, orNone } from "../../page/console-api.ts";
import { type RangeName, rangeMs, rangeNames } from "../messages/message-query.ts";
import { messagesWords } from "../messages/words.ts";
import { inboundWords } from "./words.ts";

const rowsShown = 50;

export const inboundMarks = ["unmapped", "incomplete", "binary"] as const satisfies readonly (keyof InboundAnswer)[];
/** What is unusual about an inbound message. */
export type InboundMark = (typeof inboundMarks)[number];

/** `accountName`: null for a customer, and if no line assigns it to an account. */
export type InboundListItem = InboundAnswer & { accountName: string | null };

export interface InboundFilterField extends Omit<SearchFilter, "label"> {
  name: "account" | "line" | "mark" | "range";
}

/** The filters of a list of inbound messages; empty for none. */
export interface InboundQuery {
  q: string;
  account: string;
  line: string;
  mark: InboundMark | "";
  range: RangeName | "";
}

export interface InboundSources {
  api: ConsoleApi;
  locale: Locale;
  isCustomer: boolean;
}

export function inboundQueryOf(params: URLSearchParams): InboundQuery {
  const text = (name: string): string => cleanInput(params.get(name) ?? "");
  return {
    q: text("q"),
    account: text("account"),
    line: text("line"),
    mark: inboundMarks.find((mark) => mark === text("mark")) ?? "",
    range: rangeNames.find((name) => name === text("range")) ?? "",
  };
}

export const inboundHref = (query: Partial<InboundQuery & { before: string }>): string => {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return params.size === 0 ? "/inbound" : `/inbound?${params}`;
};

/** The message with exactly the typed code; null if there is none. */
export async function inboundNamed(api: ConsoleApi, q: string): Promise<string | null> {
  const code = q.toUpperCase();
  if (!isTrackingCode(code)) return null;
  const found = await orNone(api("GET /inbound/:trackingCode", { trackingCode: code }));
  return found === null ? null : code;
}

export async function inboundSearch(
  { api, locale, isCustomer }: InboundSources,
  query: InboundQuery,
  before: string,
  wrong?: WrongName,
) {
  const [found, accounts, lines] = await Promise.all([
    search(api, query, before, locale.format.now),
    isCustomer ? [] : accountFilter(api, query.account, locale, wrong),
    api("GET /lines", { limit: readForForm }),
  ]);
  const { messages, nextCursor } = found;
  const names = await accountNames(api, accountsOf(messages), isCustomer);
  const numbers = lines.rows.map(({ number }) => number);
  const filters = [...filterFields(query, locale, numbers, isCustomer), ...accounts];
  const isWhole = inboundHref(query) === "/inbound" && before === "" && wrong === undefined;
  return {
    sought: query.q,
    filters,
    chips: filters
      .filter(({ value, error }) => value !== "" && error === undefined)
      .map((filter) => chipOf(filter, query, locale)),
    rows: messages.map((message) => named(message, names)),
    pages: {
      range: messagesWords[locale.language].shown(locale.format.count(messages.length)),
      newer: before === "" ? null : inboundHref(query),
      older: nextCursor === null ? null : inboundHref({ ...query, before: nextCursor }),
    },
    /** No message has ever arrived. */
    untouched: isWhole && messages.length === 0 && nextCursor === null,
  };
}

/** A number may be the sender's or the receiver's. */
async function search(api: ConsoleApi, { q, account, line, mark, range }: InboundQuery, before: string, now: number) {
  const shared = {
    limit: rowsShown,
    ...(account !== "" && { account }),
    ...(mark !== "" && { [mark]: true }),
    ...(range !== "" && { from: new Date(now - rangeMs[range]).toISOString() }),
    ...(before !== "" && { cursor: before }),
  };
  const receiver = line === "" ? {} : { receiver: line };
  if (q === "") return api("GET /inbound", { ...shared, ...receiver });
  const sent = await api("GET /inbound", { ...shared, ...receiver, sender: q });
  if (line !== "" || sent.messages.length > 0 || sent.nextCursor !== null) return sent;
  return api("GET /inbound", { ...shared, receiver: q });
}

const named = (message: InboundAnswer, names: AccountNames): InboundListItem => ({
  ...message,
  accountName: message.account === null ? null : (names.get(message.account) ?? null),
});

const accountsOf = (rows: readonly { account: string | null }[]) => rows.map(({ account }) => account);

function filterFields(
  query: InboundQuery,
  { language, words }: Locale,
  lines: readonly string[],
  isCustomer: boolean,
): InboundFilterField[] {
  // A message without an account never belongs to a customer.
  const markOptions = isCustomer ? inboundMarks.filter((mark) => mark !== "unmapped") : inboundMarks;
  const line = lines.map((value) => ({ value, label: value }));
  return [
    namedFilter("line", query.line, { options: line, choices: "lines", words }),
    wordFilter("mark", query.mark, [markOptions, inboundWords[language].mark], words),
    wordFilter("range", query.range, [rangeNames, messagesWords[language].ranges], words),
  ];
}

function chipOf({ name, value, options, chosen }: InboundFilterField, query: InboundQuery, { language }: Locale): Chip {
  return {
    name: inboundWords[language].filter[name],
    value: chosen ?? options?.find((option) => option.value === value)?.label ?? value,
    without: inboundHref({ ...query, [name]: "" }),
  };
}

export async function inboundMessage(api: ConsoleApi, trackingCode: string, isCustomer: boolean) {
  const message = await api("GET /inbound/:trackingCode", { trackingCode });
  return named(message, await accountNames(api, [message.account], isCustomer));
}
