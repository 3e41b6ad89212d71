/** A message as a line of CSV (RFC 4180). Its text is left out, as in every list of messages. */
import { type CsvCell, csvLine } from "../domain/csv.ts";
import { accountIdText } from "../domain/id-text.ts";
import { className } from "../domain/message.ts";
import { publicStatusOf } from "../domain/status.ts";
import { isoTime } from "../platform/clock.ts";
import type { FoundMessage } from "../store/message-search.ts";

type RouteNames = Readonly<Record<number, string>>;

const timeOf = (at: number | null) => (at === null ? null : isoTime(at));

/** In the order of the columns. */
const columns: Readonly<Record<string, (message: FoundMessage, routeNames: RouteNames) => CsvCell>> = {
  trackingCode: ({ trackingCode }) => trackingCode,
  account: ({ accountId }) => accountIdText(accountId),
  sender: ({ sender }) => sender,
  recipient: ({ recipient }) => recipient,
  status: ({ state }) => publicStatusOf(state),
  error: ({ errorCode }) => errorCode,
  class: (message) => className(message.class),
  route: ({ routeId }, routeNames) => (routeId === null ? null : (routeNames[routeId] ?? routeId)),
  clientReference: ({ clientReference }) => clientReference,
  encoding: ({ encoding }) => encoding,
  characterCount: ({ characterCount }) => characterCount,
  partCount: ({ partCount }) => partCount,
  attempts: ({ attempts }) => attempts,
  submittedAt: ({ submittedAt }) => isoTime(submittedAt),
  sendAt: ({ sendAt }) => timeOf(sendAt),
  sentAt: ({ sentAt }) => timeOf(sentAt),
  finalAt: ({ finalAt }) => timeOf(finalAt),
};

const cellsOf = Object.values(columns);

export const messageCsvHead = csvLine(Object.keys(columns));

export function messageCsvLine(message: FoundMessage, routeNames: RouteNames): string {
  return csvLine(cellsOf.map((cell) => cell(message, routeNames)));
}
