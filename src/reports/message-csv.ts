/** A message as a line of CSV (RFC 4180), without its text, as in every list of messages. */
import { type CsvCell, csvLine } from "../domain/csv.ts";
import { accountIdText } from "../domain/id-text.ts";
import { className } from "../domain/message.ts";
import { publicStatusOf } from "../domain/status.ts";
import { isoTime } from "../platform/clock.ts";
import type { FoundMessage } from "../store/message-search.ts";
import type { ExportWriting } from "./protocol.ts";

type TimeText = (at: number) => string;

/** How the cells of an export are formatted. */
interface CellWriting {
  routeNames: ExportWriting["routeNames"];
  time: TimeText;
}

interface CsvColumn {
  cell(message: FoundMessage, writing: CellWriting): CsvCell;
  /** Not included for customers. */
  isInternal?: true;
}

const momentColumn = (momentOf: (message: FoundMessage) => number | null): CsvColumn => ({
  cell(message, { time }) {
    const at = momentOf(message);
    return at === null ? null : time(at);
  },
});

/** In this order. */
const columns: Readonly<Record<string, CsvColumn>> = {
  trackingCode: { cell: ({ trackingCode }) => trackingCode },
  account: { cell: ({ accountId }) => accountIdText(accountId) },
  sender: { cell: ({ sender }) => sender },
  recipient: { cell: ({ recipient }) => recipient },
  status: { cell: ({ state }) => publicStatusOf(state) },
  error: { cell: ({ errorCode }) => errorCode },
  class: { cell: (message) => className(message.class) },
  route: {
    cell: ({ routeId }, { routeNames }) => (routeId === null ? null : (routeNames[routeId] ?? routeId)),
    isInternal: true,
  },
  clientReference: { cell: ({ clientReference }) => clientReference },
  encoding: { cell: ({ encoding }) => encoding },
  characterCount: { cell: ({ characterCount }) => characterCount },
  partCount: { cell: ({ partCount }) => partCount },
  attempts: { cell: ({ attempts }) => attempts, isInternal: true },
  submittedAt: momentColumn(({ submittedAt }) => submittedAt),
  sendAt: momentColumn(({ sendAt }) => sendAt),
  sentAt: momentColumn(({ sentAt }) => sentAt),
  finalAt: momentColumn(({ finalAt }) => finalAt),
};

const columnsFor = ({ isForCustomer = false }: ExportWriting) =>
  Object.entries(columns).filter(([, { isInternal }]) => !(isForCustomer && isInternal === true));

export const messageCsvHead = (writing: ExportWriting): string => csvLine(columnsFor(writing).map(([name]) => name));

export function messageCsvLines(writing: ExportWriting): (message: FoundMessage) => string {
  const cells = columnsFor(writing).map(([, column]) => column.cell);
  const cellWriting = { routeNames: writing.routeNames, time: timeTextIn(writing.timeZone ?? "UTC") };
  return (message) => csvLine(cells.map((cell) => cell(message, cellWriting)));
}

/** No zone changes its offset within one. */
const quarterMs = 15 * 60_000;

/** ISO 8601 with the zone's offset, which is looked up once for adjacent times. */
function timeTextIn(timeZone: string): TimeText {
  if (timeZone === "UTC") return isoTime;
  let known = { quarter: Number.NaN, offset: "", offsetMs: 0 };
  return (at) => {
    const quarter = Math.floor(at / quarterMs);
    if (quarter !== known.quarter) {
      const { offset, offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
      known = { quarter, offset, offsetMs: offsetNanoseconds / 1e6 };
    }
    return isoTime(at + known.offsetMs).replace("Z", known.offset);
  };
}
