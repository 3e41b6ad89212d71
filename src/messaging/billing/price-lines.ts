/** Reads lines of a price list as an operator writes them, from a CSV file or one by one, and says of each what is wrong. */
import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { dayNamed, type LocalPeriod } from "../../domain/local-calendar.ts";
import type { OperatorProblem } from "../../domain/operator-error.ts";
import { latinDigits } from "../../domain/phone-number.ts";
import { amountMax, type PriceLine, prefixLengthMax } from "../../domain/price-list.ts";
import { nextTurn } from "../../platform/next-turn.ts";

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
/** Of a file, read in one turn of the event loop. */
const pieceCharacters = 32 * 1024;

type Wrong = { problem: string };

/** The lines of a file, or every problem that it has, each under its line. */
export async function readPriceFile(text: string, clock: PriceClock): Promise<PriceLine[] | OperatorProblem[]> {
  const problems: OperatorProblem[] = [];
  const lines: PriceLine[] = [];
  const lineByName = new Map<string, number>();
  const read = lineReader(clock);
  for (const { number, written } of await recordsOf(text, problems)) {
    const key = `line ${number}`;
    const line = read(written);
    if ("problem" in line) {
      problems.push({ key, message: line.problem });
      continue;
    }
    const name = `${line.prefix} ${line.validFrom}`;
    const first = lineByName.get(name);
    if (first !== undefined)
      problems.push({ key, message: `${prefixText(line.prefix)} has a price from the same day in line ${first}` });
    else lineByName.set(name, number);
    lines.push(line);
  }
  if (problems.length === 0 && lines.length === 0) problems.push({ key: "line 1", message: "the file holds no price" });
  return problems.length > 0 ? problems : lines;
}

export const areProblems = (read: PriceLine[] | OperatorProblem[]): read is OperatorProblem[] =>
  read[0] !== undefined && "message" in read[0];

/** `*` for the prefix of every number. */
export const prefixText = (prefix: string): string => (prefix === "" ? "*" : prefix);

export const priceLineOf = (written: WrittenPrice, clock: PriceClock): PriceLine | Wrong => lineReader(clock)(written);

/** Days are looked up once: Intl takes a quarter of a millisecond for each. */
function lineReader({ now, timeZone }: PriceClock): (written: WrittenPrice) => PriceLine | Wrong {
  const days = new Map<string, LocalPeriod | null>();
  const dayOf = (name: string) => {
    const known = days.get(name);
    const day = known === undefined ? dayNamed(latinDigits(name), timeZone) : known;
    days.set(name, day);
    return day;
  };
  return ({ prefix, price, from }) => {
    const digits = prefixOf(prefix);
    if (digits === null)
      return { problem: `“${prefix}” is no beginning of a number; one looks like 98912, and * is every number` };
    const amount = wholeNumberOf(price);
    if (amount === null) return { problem: `“${price}” is no price: a whole number from 0 to ${amountMax} is one` };
    const day = from === "" ? null : dayOf(from);
    if (from !== "" && day === null) return { problem: `“${from}” is no date; one looks like 2026-12-01` };
    if (day !== null && day.endsAt <= now)
      return {
        problem: `the price begins on ${day.name}, which is over: messages since then have their price already`,
      };
    // Of today: what was accepted since midnight has its price already.
    return { prefix: digits, amount, validFrom: Math.max(day?.startsAt ?? now, now) };
  };
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

/** Others are served between two pieces of a file. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += pieceCharacters) {
    yield text.slice(from, from + pieceCharacters);
    await nextTurn();
  }
}

/** Adds what makes the file unreadable to `problems`. */
async function recordsOf(text: string, problems: OperatorProblem[]): Promise<PriceRecord[]> {
  const head = text.trimStart().split(/[\n\r]/, 1)[0] ?? "";
  const delimiter = head.split(";").length > head.split(",").length ? ";" : ",";
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  const records: PriceRecord[] = [];
  let places: readonly number[] | null = null;
  try {
    for await (const row of Readable.from(piecesOf(text)).pipe(parser)) {
      const { record, info }: { record: readonly string[]; info: Info } = row;
      if (places === null) places = placesOf(record);
      else {
        const [prefix = "", price = "", from = ""] = places.map((place) => record[place] ?? "");
        records.push({ number: info.lines, written: { prefix, price, from } });
      }
    }
  } catch (reason) {
    if (!(reason instanceof CsvError)) throw reason;
    problems.push({ key: `line ${Number(reason.lines ?? 1)}`, message: reason.message });
    return [];
  }
  if (places !== null && places[0] !== -1 && places[1] !== -1) return records;
  problems.push({ key: "line 1", message: "the first line must name the columns: prefix,price or prefix,price,from" });
  return [];
}

/** Where each column stands; -1 where it does not. */
function placesOf(head: readonly string[]): number[] {
  const names = head.map((name) => name.toLowerCase());
  return columns.map((column) => names.indexOf(column));
}
