/** Adds up the figures of a period, by the requested dimensions. */
import { deliveriesByLimit, deliveryTimeWithin } from "../domain/delivery-time.ts";
import type { Reader } from "../store/reader.ts";
import { type RollupRow, slotMs } from "../store/rollup-counts.ts";
import { type FiguresRequest, type FiguresRow, figureDimensions, type ReadTask } from "./protocol.ts";

/** Rows per step, or one quarter hour if it has more: with a thousand senders, one has 10,000. */
const stepRows = 2_000;

interface Sum {
  row: FiguresRow;
  deliveries: Map<number, number>;
}

export class FiguresTask implements ReadTask<FiguresRow[]> {
  readonly #reader: Reader;
  readonly #request: FiguresRequest;
  readonly #periodOf: (slotAt: number) => string;
  readonly #sums = new Map<string, Sum>();
  #from: number;

  constructor(reader: Reader, request: FiguresRequest) {
    this.#reader = reader;
    this.#request = request;
    this.#periodOf = periodsOf(request);
    this.#from = request.from;
  }

  step(): FiguresRow[] | null {
    const { rows, next } = this.#reader.rollups.rows(this.#from, this.#request.to, stepRows);
    for (const row of rows) if (this.#isWanted(row)) this.#add(row);
    if (next === null) return this.#rows();
    this.#from = next;
    return null;
  }

  #isWanted(row: RollupRow): boolean {
    const { filter } = this.#request;
    return figureDimensions.every(
      (dimension) => filter[dimension] === undefined || filter[dimension] === row[dimension],
    );
  }

  #add(counted: RollupRow): void {
    const { row, deliveries } = this.#sumOf(counted);
    row.messages += counted.messages;
    row.parts += counted.parts;
    row.statuses[counted.status] = (row.statuses[counted.status] ?? 0) + counted.messages;
    if (counted.errorCode !== "") {
      row.errors[counted.errorCode] = (row.errors[counted.errorCode] ?? 0) + counted.messages;
    }
    if (counted.deliveryTime > 0) {
      deliveries.set(counted.deliveryTime, (deliveries.get(counted.deliveryTime) ?? 0) + counted.messages);
    }
  }

  #sumOf(counted: RollupRow): Sum {
    const { by } = this.#request;
    const period = this.#periodOf(counted.slotAt);
    const name = [period, ...by.map((dimension) => counted[dimension])].join("/");
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    const dimensions = Object.fromEntries(by.map((dimension) => [dimension, counted[dimension]]));
    const row = { period, startsAt: counted.slotAt, ...dimensions, messages: 0, parts: 0, statuses: {}, errors: {} };
    const sum = {
      row: { ...row, deliveryMedianMs: null, deliveryP95Ms: null, deliveryTimes: [] },
      deliveries: new Map(),
    };
    this.#sums.set(name, sum);
    return sum;
  }

  #rows(): FiguresRow[] {
    return [...this.#sums.values()].map(({ row, deliveries }) => ({
      ...row,
      deliveryMedianMs: deliveryTimeWithin(deliveries, 0.5),
      deliveryP95Ms: deliveryTimeWithin(deliveries, 0.95),
      deliveryTimes: deliveriesByLimit(deliveries),
    }));
  }
}

const partsByPeriod = {
  month: ["year", "month"],
  day: ["year", "month", "day"],
  hour: ["year", "month", "day", "hour"],
  quarter: ["year", "month", "day", "hour", "minute"],
} as const;

/** More quarter hours than any such period has. */
const slotsMax = { month: 32 * 96, day: 26 * 4, hour: 5, quarter: 2 } as const;

/** Names the period of a quarter hour. No time zone starts a day within one. */
function periodsOf({ period, timeZone, calendar }: FiguresRequest): (slotAt: number) => string {
  if (period === "all") return () => "";
  const digits = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar,
    numberingSystem: "latn",
    hourCycle: "h23",
    ...digits,
  });
  const nameAt = (slotAt: number): string => {
    const parts = format.formatToParts(slotAt);
    const values = partsByPeriod[period].map((type) => parts.find((part) => part.type === type)?.value ?? "");
    const [year = "", month = "", ...rest] = values;
    return [[year, month, ...rest.slice(0, 1)].join("-"), ...rest.slice(1)].join(" ");
  };
  let name = "";
  let startsAt = Number.POSITIVE_INFINITY;
  let endsAt = Number.NEGATIVE_INFINITY;
  return (slotAt) => {
    if (slotAt >= startsAt && slotAt < endsAt) return name;
    name = nameAt(slotAt);
    startsAt = slotAt;
    // The calendar is only consulted for some period ends, not for each quarter hour: that was most of the work for a
    // month of days.
    endsAt = slotAt + slotMs * slotsOfSameName(slotAt, slotsMax[period]);
    return name;
  };

  /** By bisection: a name that has passed does not come back. */
  function slotsOfSameName(slotAt: number, most: number): number {
    let same = 1;
    for (let other = most; other - same > 1; ) {
      const middle = Math.floor((same + other) / 2);
      if (nameAt(slotAt + middle * slotMs) === name) same = middle;
      else other = middle;
    }
    return same;
  }
}
