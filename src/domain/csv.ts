/** Lines of CSV (RFC 4180) that a spreadsheet reads and does not run. */

export type CsvCell = string | number | null;

const special = /[",\r\n]/;
/**
 * A spreadsheet would run it, also past the ends of lines before it and with the wide signs of East Asian keyboards. A number with
 * a sign, such as a recipient, it only reads.
 */
const formula = /^[\t\r\n=@＝＠＋－]|^[+-](?![0-9]+$)/;

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  const harmless = formula.test(text) ? `'${text}` : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
