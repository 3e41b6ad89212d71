/** Finds the numbers in a file: one per line, or in a column of a CSV file. */
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { memberColumnOf } from "../../domain/member-columns.ts";
import { latinDigits } from "../../domain/phone-number.ts";
import { csvLineEnds } from "../../platform/csv-line-ends.ts";
import { LineLimit } from "../../platform/line-limit.ts";
import { nextTurn } from "../../platform/next-turn.ts";

/** Bytes per record, and characters per line. */
const recordLengthMax = 64 * 1024;
/** Characters parsed per turn of the event loop: some milliseconds. */
const pieceCharacters = 16 * 1024;

/** The first entries of a typed or pasted text, separated by lines, commas or semicolons: a million take 0.1 s. */
export const typedEntries = (text: string, countMax = Number.POSITIVE_INFINITY): string[] =>
  Array.from(text.matchAll(/[^\s,;،؛][^\n\r,;،؛]*/g).take(countMax), ([entry]) => entry.trimEnd());

/**
 * The entries of a file, unchanged. They come from the column with a known header (`mobile` or its Persian names), else
 * the first column that looks like a number in the first line that has one; earlier lines are headers. @throws CsvError
 * if a quotation mark never closes or a line is too long
 */
export async function* fileEntries(text: string): AsyncGenerator<string> {
  let column: number | null = null;
  const parser = csvParser(text);
  // Errors of the pieces reach whoever iterates the parser.
  pipeline(Readable.from(piecesOf(text)), parser, () => {});
  for await (const record of parser) {
    const cells: readonly string[] = record;
    if (column === null) {
      column = columnNamedIn(cells);
      if (column !== null) continue;
      column = cells.findIndex(isLikeNumber);
      if (column === -1) {
        column = null;
        continue;
      }
    }
    const cell = cells[column] ?? "";
    if (cell !== "") yield cell;
  }
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  const lineLimit = new LineLimit(recordLengthMax);
  for (let from = 0; from < text.length; from += pieceCharacters) {
    const piece = text.slice(from, from + pieceCharacters);
    // csv-parse does not limit empty cells and spaces: five million take nine seconds.
    if (!lineLimit.allows(piece)) {
      throw new CsvError("CSV_MAX_RECORD_SIZE", `a line has more than ${recordLengthMax} characters`);
    }
    yield piece;
    await nextTurn();
  }
}

function csvParser(text: string) {
  const beginning = text.slice(0, recordLengthMax).trimStart();
  const firstLine = beginning.split(/[\n\r]/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((delimiter) => ({ delimiter, columns: firstLine.split(delimiter).length }));
  const { delimiter } = counts.reduce((best, one) => (one.columns > best.columns ? one : best));
  return parse({
    bom: true,
    delimiter,
    max_record_size: recordLengthMax,
    record_delimiter: csvLineEnds(beginning),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
}

function columnNamedIn(cells: readonly string[]): number | null {
  const index = cells.findIndex((cell) => memberColumnOf(cell) === "mobile");
  return index === -1 ? null : index;
}

const isLikeNumber = (cell: string): boolean => latinDigits(cell).replace(/[^0-9]/g, "").length >= 7;
