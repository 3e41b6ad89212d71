/**
 * Parses a list of members from a CSV file as it arrives, and reports for every line what it holds or what is wrong
 * with it.
 */
import { isUtf8 } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { type CsvError, type Info, parse } from "csv-parse";
import {
  type ImportProblem,
  type ImportProblemCode,
  type ImportProblemValues,
  importProblemOf,
} from "../../domain/import-problem.ts";
import { type MemberColumn, memberColumnOf, memberColumns } from "../../domain/member-columns.ts";
import type { Member } from "../../domain/personalisation.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import { codePointLength, isCleanText, withoutTabs } from "../../domain/text.ts";
import { csvLineEnds } from "../../platform/csv-line-ends.ts";
import { LineLimit } from "../../platform/line-limit.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import { hadTextAfterQuote, TextAfterQuotes, withoutMark } from "./text-after-quotes.ts";

/** The content of one line. Lines count from 1, the header. */
export type CsvLine =
  | { kind: "member"; line: number; member: Member }
  /** `stops`: other lines may be affected or unread, so this one cannot simply be left out. */
  | { kind: "problem"; line: number; problem: ImportProblem; stops: boolean }
  /** Headers of columns that Peyk does not use; comes once, with the first line. */
  | { kind: "ignored"; line: number; headers: readonly string[] };

/** The meaning of a file's columns, regardless of its first line. */
export interface CsvLayout {
  /** The meaning of each column, in order; null columns are skipped. */
  columns: readonly (MemberColumn | null)[];
  /** The first line contains the column names and no member. */
  hasHeader: boolean;
}

/** The file cannot be parsed beyond this point. */
class Unreadable extends Error {
  override readonly name = "Unreadable";
  constructor(
    readonly line: number,
    readonly problem: ImportProblem,
  ) {
    super(problem.message);
  }
}

const nameColumns = ["firstName", "lastName", "fullName"] as const satisfies readonly MemberColumn[];
const nameLengthMax = 100;
const newline = 0x0a;
/** The header is looked for within this many characters. */
const headerLengthMax = 16 * 1024;
/** Characters per line (UTF-16). */
const lineLengthMax = 64 * 1024;
/** Each character takes up to three bytes of UTF-8: a longer record spans several lines. */
const recordBytesMax = 3 * lineLengthMax;
/** Bytes parsed per turn of the event loop: some 1,400 numbers, which take five milliseconds. */
const pieceBytes = 16 * 1024;

function problem<Code extends ImportProblemCode>(line: number, code: Code, values: ImportProblemValues[Code]) {
  return { kind: "problem" as const, line, problem: importProblemOf(code, values), stops: false };
}

const stopping = (line: number, found: ImportProblem): CsvLine => ({
  kind: "problem",
  line,
  problem: found,
  stops: true,
});

type Row = { record: readonly string[]; info: Info };

/**
 * UTF-8 with or without a byte order mark, commas or semicolons, Persian digits, headers in English or Persian.
 * `layout`: null if the header names the columns.
 */
export async function* readMemberCsv(
  source: AsyncIterable<Uint8Array>,
  region: string,
  numbers?: RecipientNumbers,
  layout: CsvLayout | null = null,
): AsyncGenerator<CsvLine> {
  const mobileOf = (text: string) => parseMobileNumber(text, region, numbers);
  try {
    yield* readLines(source, mobileOf, layout);
  } catch (reason) {
    if (!(reason instanceof Unreadable)) throw reason;
    yield stopping(reason.line, reason.problem);
  }
}

/** E.164, or null if it is not a mobile number. */
type ReadMobile = (text: string) => string | null;

/** The first rows unchanged, including any header; as many as are found near the start. */
export async function firstRecords(file: Uint8Array, count: number): Promise<(readonly string[])[]> {
  const text = new TextDecoder().decode(file.subarray(0, headerLengthMax));
  const whole = file.length > headerLengthMax ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const records: (readonly string[])[] = [];
  for await (const { record } of recordsOf(whole, Readable.from([]), () => {})) {
    records.push(record.map(withoutMark));
    if (records.length === count) break;
  }
  return records;
}

async function* readLines(
  source: AsyncIterable<Uint8Array>,
  mobileOf: ReadMobile,
  layout: CsvLayout | null,
): AsyncGenerator<CsvLine> {
  const texts = decoded(source);
  const beginning = await firstLines(texts);
  const skipped: CsvLine[] = [];
  let endless: ImportProblem | null = null;
  async function* readable() {
    for await (const text of texts) {
      if (endless !== null) return;
      yield text;
    }
  }
  const rows = recordsOf(beginning, readable(), (error) => {
    if (error.code === "CSV_QUOTE_NOT_CLOSED") endless ??= importProblemOf("quote_not_closed", {});
    else if (error.code === "CSV_MAX_RECORD_SIZE") endless ??= importProblemOf("field_over_lines", {});
    else
      skipped.push(stopping(Number(error.lines ?? 0), importProblemOf("unreadable_line", { reason: error.message })));
  });
  let columns: ReadonlyMap<MemberColumn, number> | null = null;
  let width = 0;
  let lastLine = 0;
  for await (const row of rows) {
    yield* skipped.splice(0);
    const line = firstLineOf(row);
    lastLine = row.info.lines;
    if (columns !== null) {
      yield lineOf(row, line, { columns, width, mobileOf });
      continue;
    }
    const header = row.record.map(withoutMark);
    const kinds = layout?.columns ?? header.map(memberColumnOf);
    columns = columnsOf(kinds, layout === null ? header : null, line);
    width = header.length;
    if (layout?.hasHeader === false) yield lineOf(row, line, { columns, width, mobileOf });
    else if (row.record.some(hadTextAfterQuote)) yield stopping(line, importProblemOf("text_after_quote", {}));
    else yield { kind: "ignored", line, headers: header.filter((head, at) => head !== "" && !kinds[at]) };
  }
  yield* skipped;
  // Found at the end of the file or once a record is too long; starts where the last complete record ends.
  if (endless !== null) yield stopping(lastLine + 1, endless);
  else if (columns === null) throw new Unreadable(1, importProblemOf("empty_file", {}));
}

/**
 * The text of the file, one piece per turn. Throws Unreadable at a line that is not UTF-8, contains a zero byte or is
 * too long.
 */
async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lineLimit = new LineLimit(lineLengthMax);
  let line = 1;
  const unreadable = () => new Unreadable(line, importProblemOf("not_utf8", {}));
  function decode(piece: Uint8Array): string {
    try {
      return decoder.decode(piece, { stream: true });
    } catch {
      line += linesBeforeFault(piece);
      throw unreadable();
    }
  }
  function checked(text: string): string {
    if (!lineLimit.allows(text)) throw new Unreadable(line, importProblemOf("line_too_long", { max: lineLengthMax }));
    const zero = text.indexOf("\0");
    line += linesIn(zero === -1 ? text : text.slice(0, zero));
    if (zero !== -1) throw new Unreadable(line, importProblemOf("zero_byte", {}));
    return text;
  }
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      yield checked(decode(bytes.subarray(from, from + pieceBytes)));
      await nextTurn();
    }
  }
  try {
    yield decoder.decode();
  } catch {
    throw unreadable();
  }
}

const linesIn = (text: string): number => text.split("\n").length - 1;

/** The number of complete lines before the first invalid UTF-8. */
function linesBeforeFault(piece: Uint8Array): number {
  // Continuation bytes of the previous piece's last character are valid or belong to the first line.
  let from = Math.max(
    0,
    piece.findIndex((octet) => (octet & 0xc0) !== 0x80),
  );
  for (let lines = 0; ; lines += 1) {
    const end = piece.indexOf(newline, from);
    if (end === -1 || !isUtf8(piece.subarray(from, end))) return lines;
    from = end + 1;
  }
}

/** Reads until the header is complete, to detect the delimiter. */
async function firstLines(texts: AsyncGenerator<string>): Promise<string> {
  let beginning = "";
  while (!/[\n\r]/.test(beginning.trimStart()) && beginning.length < headerLengthMax) {
    const { value, done } = await texts.next();
    if (done === true) break;
    beginning += value;
  }
  return beginning;
}

function recordsOf(
  beginning: string,
  rest: AsyncIterable<string>,
  skip: (error: CsvError) => void,
): AsyncIterable<Row> {
  const header = beginning.trimStart().split(/[\n\r]/, 1)[0] ?? "";
  const delimiter = header.split(";").length > header.split(",").length ? ";" : ",";
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: recordBytesMax,
    record_delimiter: csvLineEnds(beginning),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
  });
  parser.on("skip", (error: CsvError | undefined) => {
    if (error !== undefined) skip(error);
  });
  const afterQuotes = new TextAfterQuotes(delimiter);
  async function* texts() {
    yield afterQuotes.leaveOut(beginning);
    for await (const text of rest) yield afterQuotes.leaveOut(text);
    yield afterQuotes.rest();
  }
  // Errors of the source reach whoever iterates the parser.
  pipeline(Readable.from(texts()), parser, () => {});
  return parser;
}

/** The parser reports a record with line breaks at its last line. */
function firstLineOf({ record, info }: Row): number {
  return info.lines - record.reduce((breaks, field) => breaks + linesIn(field), 0);
}

/** `header`: null if the columns were chosen explicitly. Throws Unreadable. */
function columnsOf(
  kinds: CsvLayout["columns"],
  header: readonly string[] | null,
  line: number,
): ReadonlyMap<MemberColumn, number> {
  const columns = new Map<MemberColumn, number>();
  for (const [index, column] of kinds.entries()) {
    if (column === null) continue;
    if (columns.has(column)) {
      const code = header === null ? "column_chosen_twice" : "column_named_twice";
      throw new Unreadable(line, importProblemOf(code, { column }));
    }
    columns.set(column, index);
  }
  if (columns.has("mobile")) return columns;
  if (header === null) throw new Unreadable(line, importProblemOf("mobile_not_chosen", {}));
  const found = header.map((name) => name.slice(0, 40));
  throw new Unreadable(line, importProblemOf("mobile_not_named", { found, known: memberColumns }));
}

interface Layout {
  columns: ReadonlyMap<MemberColumn, number>;
  width: number;
  mobileOf: ReadMobile;
}

function lineOf({ record }: Row, line: number, { columns, width, mobileOf }: Layout): CsvLine {
  if (record.some((field) => /[\n\r]/.test(field))) {
    return stopping(line, importProblemOf("field_over_lines", {}));
  }
  if (record.some(hadTextAfterQuote)) return problem(line, "text_after_quote", {});
  if (record.slice(width).some((field) => field !== "")) {
    return problem(line, "too_many_fields", { fields: record.length, columns: width });
  }
  const value = (column: MemberColumn) => withoutTabs(record[columns.get(column) ?? -1] ?? "") || null;
  const mobile = value("mobile");
  if (mobile === null) return problem(line, "no_mobile_number", {});
  const recipient = mobileOf(mobile);
  if (recipient === null) return problem(line, "not_mobile", { value: mobile.slice(0, 40) });
  const member = {
    recipient,
    firstName: value("firstName"),
    lastName: value("lastName"),
    fullName: value("fullName"),
  };
  return wrongName(line, member) ?? { kind: "member", line, member };
}

function wrongName(line: number, member: Member): CsvLine | null {
  for (const column of nameColumns) {
    const name = member[column];
    if (name === null) continue;
    if (codePointLength(name) > nameLengthMax) return problem(line, "name_too_long", { column, max: nameLengthMax });
    if (!isCleanText(name)) return problem(line, "name_control_character", { column });
    if (name.includes("\ufffd")) return problem(line, "name_not_utf8", { column });
  }
  return null;
}
