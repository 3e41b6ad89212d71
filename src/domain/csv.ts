/** Lines of CSV (RFC 4180) that a spreadsheet reads and does not run. */

export type CsvCell = string | number | null;

const special = /[",\r\n]/;
/** A spreadsheet runs what begins with one, those of East Asian keyboards too. */
const sign = /[=@+\-＝＠＋－]/;
/** A number with a sign, such as a recipient, it only reads. */
const number = /^[+-]?[0-9]+$/;
/**
 * Many countries' spreadsheets part cells by semicolons and know nothing of our commas and quotes: for them a cell begins anew inside of
 * ours, behind each of these.
 */
const separators: ReadonlySet<string> = new Set([";", "|", "\t", "\r", "\n"]);
/** They stand before what begins a cell, and do not count. */
const passedOver = /^["\s]$/;

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  const harmless = sign.test(text) && !number.test(text) ? withApostrophes(text) : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One before each piece that would be run. Read once from end to end: a regular expression was quadratic in spaces. */
function withApostrophes(text: string): string {
  let harmless = "";
  let copiedTo = 0;
  /** Where a piece begins whose first character is yet to come. */
  let beginsAt: number | null = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (separators.has(character)) beginsAt = at + 1;
    else if (beginsAt !== null && !passedOver.test(character)) {
      if (sign.test(character) && !isNumberAt(text, at)) {
        harmless += `${text.slice(copiedTo, beginsAt)}'`;
        copiedTo = beginsAt;
      }
      beginsAt = null;
    }
  }
  return harmless + text.slice(copiedTo);
}

const numberInPiece = /[+-][0-9]+(?=[;|\t\r\n]|$)/y;

function isNumberAt(text: string, at: number): boolean {
  numberInPiece.lastIndex = at;
  return numberInPiece.test(text);
}
