/** A message as a line of CSV (RFC 4180). Its text is left out, as in every list of messages. */
import { accountIdText } from "../domain/id-text.ts";
import { className } from "../domain/message.ts";
import { publicStatusOf } from "../domain/status.ts";
import { isoTime } from "../platform/clock.ts";
import type { FoundMessage } from "../store/message-search.ts";

type RouteNames = Readonly<Record<number, string>>;
type Cell = string | number | null;

const timeOf = (at: number | null) => (at === null ? null : isoTime(at));

/** In the order of the columns. */
const columns: Readonly<Record<string, (message: FoundMessage, routeNames: RouteNames) => Cell>> = {
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

const special = /[",\r\n]/;
/** A spreadsheet would run it. A number with a sign, such as a recipient, it only reads. */
const formula = /^[=@\t]|^[+-](?![0-9]+$)/;

const cellsOf = Object.values(columns);
const lineOf = (cells: readonly Cell[]) => `${cells.map(cellText).join(",")}\r\n`;

export const messageCsvHead = lineOf(Object.keys(columns));

export function messageCsvLine(message: FoundMessage, routeNames: RouteNames): string {
  return lineOf(cellsOf.map((cell) => cell(message, routeNames)));
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  const harmless = formula.test(text) ? `'${text}` : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
