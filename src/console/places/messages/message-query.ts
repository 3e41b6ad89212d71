/** The filters in a message list's address, and their meaning for the operator API. */
import {
  type MessageClassName,
  type MessageErrorCode,
  messageClassNames,
  messageErrorCodes,
  type PublicStatus,
  publicStatuses,
} from "../../../domain/message.ts";
import { latinDigits } from "../../../domain/phone-number.ts";
import { isTrackingCode } from "../../../domain/tracking-code.ts";
import { cleanInput } from "../../format/input.ts";
import type { ReadBy } from "./message-state.ts";

/** Time ranges that a list can be limited to, in milliseconds. */
export const rangeMs = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 } as const;
export type RangeName = keyof typeof rangeMs;

/** Empty if not set. */
export interface MessageQuery {
  q: string;
  status: PublicStatus | "";
  error: MessageErrorCode | "";
  route: string;
  account: string;
  /** Its id, `camp_7`. */
  campaign: string;
  sender: string;
  range: RangeName | "";
  class: MessageClassName | "";
  /** A network's name. */
  network: string;
  /** A key or a credential: `key_1`, `cred_3`. */
  via: string;
  slower: SlowerName | "";
  /** The beginning and the end of a day, in ISO 8601 with a slash between them. */
  due: string;
  /** ISO 8601, without a range. */
  from: string;
  to: string;
}

/** How long a message took, or takes so far, in milliseconds. */
export const slowerMs = { "5s": 5_000, "30s": 30_000, "5m": 300_000, "1h": 3_600_000 } as const;
export type SlowerName = keyof typeof slowerMs;
export const slowerNames = ["5s", "30s", "5m", "1h"] as const satisfies readonly SlowerName[];

export const rangeNames = ["1h", "24h", "7d", "30d"] as const satisfies readonly RangeName[];

/** A value that the reader could not have chosen is ignored: customers see neither routes nor other accounts. */
export function messageQueryOf(params: URLSearchParams, readBy: ReadBy): MessageQuery {
  const text = (name: string): string => cleanInput(params.get(name) ?? "");
  const staffText = (name: string): string => (readBy === "staff" ? text(name) : "");
  const oneOf = <Word extends string>(name: string, known: readonly Word[]): Word | "" =>
    known.find((word) => word === text(name)) ?? "";
  const range = oneOf("range", rangeNames);
  const time = (name: string): string => (range === "" ? timeIn(text(name)) : "");
  return {
    q: text("q"),
    status: oneOf("status", publicStatuses),
    error: oneOf("error", messageErrorCodes),
    route: staffText("route"),
    account: staffText("account"),
    campaign: text("campaign"),
    sender: text("sender"),
    class: oneOf("class", messageClassNames),
    network: staffText("network"),
    via: text("via"),
    slower: oneOf("slower", slowerNames),
    due: dayIn(text("due")),
    range,
    from: time("from"),
    to: time("to"),
  };
}

function timeIn(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? "" : new Date(at).toISOString();
}

function dayIn(text: string): string {
  const [from = "", to = ""] = text.split("/").map(timeIn);
  return from !== "" && to !== "" ? `${from}/${to}` : "";
}

/** `?status=failed&range=24h`, without empty fields; empty if there are none. */
export function queryText(query: Partial<MessageQuery & { before: string }>): string {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return params.size === 0 ? "" : `?${params}`;
}

/** With its range as fixed times, so that it shows the same list tomorrow. */
export function withFixedTimes(query: MessageQuery, now: number): MessageQuery {
  if (query.range === "") return query;
  const iso = (at: number): string => new Date(at).toISOString();
  return { ...query, range: "", from: iso(now - rangeMs[query.range]), to: iso(now) };
}

/** The possible meanings of typed text, most likely first. */
export type SearchedFor = { code: string } | { recipient: string } | { reference: string };

const numberLike = /^[+(]?[0-9][0-9 ()\-./]{2,24}$/;

export function meaningsOf(q: string): SearchedFor[] {
  if (q === "") return [];
  if (isTrackingCode(q.toUpperCase())) return [{ code: q.toUpperCase() }, { reference: q }];
  const digits = latinDigits(q).replace(/[^0-9]/g, "");
  const isNumber = numberLike.test(q) && digits.length >= 4 && digits.length <= 15;
  return isNumber ? [{ recipient: q }, { reference: q }] : [{ reference: q }];
}

/** The query for the operator API. */
export function filterOf(query: MessageQuery, meaning: SearchedFor | null, now: number) {
  const { status, error, route, account, campaign, sender, network, via, slower } = query;
  const [dueFrom = "", dueTo = ""] = query.due.split("/");
  const { from, to } = withFixedTimes(query, now);
  return {
    ...(status !== "" && { status }),
    ...(error !== "" && { error }),
    ...(route !== "" && { route }),
    ...(account !== "" && { account }),
    ...(campaign !== "" && { campaign }),
    ...(sender !== "" && { sender }),
    ...(query.class !== "" && { class: query.class }),
    ...(network !== "" && { network }),
    ...(via !== "" && { via }),
    ...(slower !== "" && { slowerMs: slowerMs[slower] }),
    ...(dueTo !== "" && { dueFrom, dueTo }),
    ...(from !== "" && { from }),
    ...(to !== "" && query.range === "" && { to }),
    ...(meaning !== null && "recipient" in meaning && { recipient: meaning.recipient }),
    ...(meaning !== null && "reference" in meaning && { reference: meaning.reference }),
  };
}
