/** Lines of CSV (RFC 4180) that a spreadsheet reads but does not execute. */

export type CsvCell = string | number | null;

const special = /[",\r\n]/;
/**
 * A spreadsheet executes cells that begin with one of these, including the full-width forms of East Asian keyboards.
 */
const sign = /[=@+\-＝＠＋－]/;
/** A signed number, such as a recipient, is only read. */
const number = /^[+-]?[0-9]+$/;
/**
 * In many countries spreadsheets separate cells by semicolons and ignore our commas and quotes: for them, a new cell
 * starts after each of these, inside ours.
 */
const separators: ReadonlySet<string> = new Set([";", "|", "\t", "\r", "\n"]);
/** These may precede the first character of a cell and are skipped. */
const passedOver = /^["\s]$/;

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  const harmless = sign.test(text) && !number.test(text) ? withApostrophes(text) : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Puts an apostrophe before each piece that would be executed. A single pass: a regular expression was quadratic in
 * spaces.
 */
function withApostrophes(text: string): string {
  let harmless = "";
  let copiedTo = 0;
  /** Start of a piece whose first significant character has not been seen yet. */
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
