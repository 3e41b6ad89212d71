/**
 * Parses price list lines as an operator writes them, from a CSV file or one by one, and reports what is wrong with
 * each.
 */
import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { sentenceOf } from "../../domain/coded.ts";
import { dayNamed, type LocalPeriod } from "../../domain/local-calendar.ts";
import { type CodedProblem, englishProblems, type OperatorProblem, problemOf } from "../../domain/operator-problem.ts";
import { latinDigits } from "../../domain/phone-number.ts";
import { amountMax, type PriceLine, prefixLengthMax, problemsMax } from "../../domain/price-list.ts";
import { piecesOf, Slices } from "../../platform/next-turn.ts";

/** A line as written. */
export interface WrittenPrice {
  /** `98912`, `+98912`, `0098912`, or `*` for every number. */
  prefix: string;
  /** A whole number, in the currency's smallest unit. */
  price: string;
  /** A date such as `2026-12-01`; empty for immediately. */
  from: string;
}

export interface PriceClock {
  /** Epoch milliseconds. */
  now: number;
  /** Defines when days begin, and with them the prices valid from a day. */
  timeZone: string;
}

/** Column names in a file's header. */
const columns = ["prefix", "price", "from"] as const;
const headCharactersMax = 32 * 1024;
const headWanted = { code: "price_head", values: {} } as const;

/** The key is the column. */
type Wrong = { problem: OperatorProblem };

export interface ReadPrices {
  /** Without the wrong ones. */
  lines: PriceLine[];
  /** Each under its line: at most a thousand. */
  problems: OperatorProblem[];
  /** The rest of the file was not read, or every line is wrong: an import cannot go on without them. */
  stops: boolean;
}

export async function readPriceFile(text: string, clock: PriceClock): Promise<ReadPrices> {
  const problems: OperatorProblem[] = [];
  const lines: PriceLine[] = [];
  const lineByName = new Map<string, number>();
  const read = lineReader(clock);
  const take = ({ number, written }: PriceRecord): void => {
    const key = `line ${number}`;
    const line = read(written);
    if ("problem" in line) {
      problems.push({ ...line.problem, key });
      return;
    }
    const name = `${line.prefix} ${line.validFrom}`;
    const first = lineByName.get(name);
    if (first !== undefined) {
      problems.push(problemOf(key, "price_repeated", { value: prefixText(line.prefix), line: first }));
      return;
    }
    lineByName.set(name, number);
    lines.push(line);
  };
  const slices = new Slices();
  try {
    for await (const record of recordsOf(text)) {
      take(record);
      if (problems.length === problemsMax) return { lines, problems, stops: true };
      await slices.pause();
    }
  } catch (reason) {
    if (!(reason instanceof UnreadableFile)) throw reason;
    return { lines, problems: [...problems, reason.problem], stops: true };
  }
  if (problems.length === 0 && lines.length === 0) problems.push(problemOf("line 1", "no_prices", {}));
  return { lines, problems, stops: lines.length === 0 };
}

/** `*` for the empty prefix, which covers every number. */
export const prefixText = (prefix: string): string => (prefix === "" ? "*" : prefix);

export const priceLineOf = (written: WrittenPrice, clock: PriceClock): PriceLine | Wrong => lineReader(clock)(written);

/** Days are cached: Intl takes a quarter of a millisecond for each. */
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
    if (digits === null) return { problem: problemOf("prefix", "price_prefix", { value: prefix }) };
    const amount = wholeNumberOf(price);
    if (amount === null) return { problem: problemOf("price", "price_amount", { value: price, max: amountMax }) };
    const day = from === "" ? null : dayOf(from);
    if (from !== "" && day === null) return { problem: problemOf("from", "price_date", { value: from }) };
    if (day !== null && day.endsAt <= now) return { problem: problemOf("from", "price_day_over", { value: day.name }) };
    // For today: messages accepted since midnight already have their price.
    return { prefix: digits, amount, validFrom: Math.max(day?.startsAt ?? now, now) };
  };
}

/** Null if the text is not a number prefix. */
export function prefixOf(text: string): string | null {
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

/** The rest of the file cannot be parsed. */
class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  readonly problem: OperatorProblem;

  constructor(line: number, wrong: CodedProblem) {
    const message = sentenceOf(wrong, englishProblems);
    super(message);
    this.problem = { key: `line ${line}`, ...wrong };
  }
}

/** Throws UnreadableFile. */
async function* recordsOf(text: string): AsyncGenerator<PriceRecord> {
  const head =
    text
      .slice(0, headCharactersMax)
      .trimStart()
      .split(/[\n\r]/, 1)[0] ?? "";
  const delimiter = head.split(";").length > head.split(",").length ? ";" : ",";
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  let places: readonly number[] | null = null;
  try {
    for await (const row of Readable.from(piecesOf(text)).pipe(parser)) {
      const { record, info }: { record: readonly string[]; info: Info } = row;
      if (places === null) places = placesOf(record);
      else {
        const [prefix = "", price = "", from = ""] = places.map((place) => record[place] ?? "");
        yield { number: info.lines, written: { prefix, price, from } };
      }
    }
  } catch (reason) {
    throw reason instanceof CsvError
      ? new UnreadableFile(Number(reason.lines ?? 1), { code: "unreadable_csv", values: { reason: reason.message } })
      : reason;
  }
  if (places === null) throw new UnreadableFile(1, headWanted);
}

/** The index of each column; -1 if there is no `from`. Throws UnreadableFile. */
function placesOf(head: readonly string[]): number[] {
  const names = head.map((name) => name.toLowerCase());
  const places = columns.map((column) => names.indexOf(column));
  if (places[0] === -1 || places[1] === -1) throw new UnreadableFile(1, headWanted);
  return places;
}
