/** Reads lines of a price list as an operator writes them, from a CSV file or one by one, and says of each what is wrong. */
import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { dayNamed } from "../../domain/local-calendar.ts";
import type { OperatorProblem } from "../../domain/operator-error.ts";
import { latinDigits } from "../../domain/phone-number.ts";
import { amountMax, type PriceLine, prefixLengthMax } from "../../domain/price-list.ts";

/** A line as it is written. */
export interface WrittenPrice {
  /** `98912`, `+98912`, `0098912`, or `*` for every number. */
  prefix: string;
  /** A whole number, in the currency's smallest unit. */
  price: string;
  /** A date such as `2026-12-01`; empty for at once. */
  from: string;
}

export interface PriceClock {
  /** Epoch milliseconds. */
  now: number;
  /** Where the days begin from which prices are valid. */
  timeZone: string;
}

/** Of a file, by the names of its head. */
const columns = ["prefix", "price", "from"] as const;

type Wrong = { problem: string };

/** The lines of a file, or every problem that it has, each under its line. */
export async function readPriceFile(text: string, clock: PriceClock): Promise<PriceLine[] | OperatorProblem[]> {
  const problems: OperatorProblem[] = [];
  const lines: PriceLine[] = [];
  const lineByName = new Map<string, number>();
  for (const { number, written } of await recordsOf(text, problems)) {
    const key = `line ${number}`;
    const read = priceLineOf(written, clock);
    if ("problem" in read) {
      problems.push({ key, message: read.problem });
      continue;
    }
    const name = `${read.prefix} ${read.validFrom}`;
    const first = lineByName.get(name);
    if (first !== undefined)
      problems.push({ key, message: `${prefixText(read.prefix)} has a price from the same day in line ${first}` });
    else lineByName.set(name, number);
    lines.push(read);
  }
  if (problems.length === 0 && lines.length === 0) problems.push({ key: "line 1", message: "the file holds no price" });
  return problems.length > 0 ? problems : lines;
}

export const areProblems = (read: PriceLine[] | OperatorProblem[]): read is OperatorProblem[] =>
  read[0] !== undefined && "message" in read[0];

/** `*` for the prefix of every number. */
export const prefixText = (prefix: string): string => (prefix === "" ? "*" : prefix);

export function priceLineOf({ prefix, price, from }: WrittenPrice, { now, timeZone }: PriceClock): PriceLine | Wrong {
  const digits = prefixOf(prefix);
  if (digits === null)
    return { problem: `“${prefix}” is no beginning of a number; one looks like 98912, and * is every number` };
  const amount = wholeNumberOf(price);
  if (amount === null) return { problem: `“${price}” is no price: a whole number from 0 to ${amountMax} is one` };
  const day = from === "" ? null : dayNamed(latinDigits(from), timeZone);
  if (from !== "" && day === null) return { problem: `“${from}” is no date; one looks like 2026-12-01` };
  if (day !== null && day.endsAt <= now)
    return { problem: `the price begins on ${day.name}, which is over: messages since then have their price already` };
  // Of today: what was accepted since midnight has its price already.
  return { prefix: digits, amount, validFrom: Math.max(day?.startsAt ?? now, now) };
}

function prefixOf(text: string): string | null {
  if (text === "*") return "";
  const digits = latinDigits(text).replace(/^(?:\+|00)/, "");
  return /^[1-9][0-9]*$/.test(digits) && digits.length <= prefixLengthMax ? digits : null;
}

function wholeNumberOf(text: string): number | null {
  const digits = latinDigits(text);
  return /^[0-9]{1,13}$/.test(digits) && Number(digits) <= amountMax ? Number(digits) : null;
}

interface PriceRecord {
  number: number;
  written: WrittenPrice;
}

/** Adds what makes the file unreadable to `problems`. */
async function recordsOf(text: string, problems: OperatorProblem[]): Promise<PriceRecord[]> {
  try {
    const head = text.trimStart().split(/[\n\r]/, 1)[0] ?? "";
    const delimiter = head.split(";").length > head.split(",").length ? ";" : ",";
    const options = { bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true, trim: true };
    const rows: { record: readonly string[]; info: Info }[] = await Readable.from([text])
      .pipe(parse(options))
      .toArray();
    const names = rows[0]?.record.map((name) => name.toLowerCase()) ?? [];
    const places = columns.map((column) => names.indexOf(column));
    if (places[0] === -1 || places[1] === -1) {
      problems.push({
        key: "line 1",
        message: "the first line must name the columns: prefix,price or prefix,price,from",
      });
      return [];
    }
    return rows.slice(1).map(({ record, info }) => {
      const [prefix = "", price = "", from = ""] = places.map((place) => record[place] ?? "");
      return { number: info.lines, written: { prefix, price, from } };
    });
  } catch (reason) {
    if (!(reason instanceof CsvError)) throw reason;
    problems.push({ key: `line ${Number(reason.lines ?? 1)}`, message: reason.message });
    return [];
  }
}
