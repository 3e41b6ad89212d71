/** Formats answers for people: aligned tables and fields, short times. */

/**
 * Columns are as wide as their widest cell in terminal columns, so combining characters (as in Persian) are not counted
 * separately.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], paint = plain): string {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))));
  return terminated(cells.map((row) => aligned(row, widths, paint)));
}

type Cell = string | number | null;

/** Where a cell is in a row as it is printed. */
type CellName<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row];

/** Makes tables of rows: each column's head, and its cell; a dash for null. `none` is said where there are no rows. */
export const tableOf =
  <Row>(none: string, columns: Readonly<Record<string, CellName<Row> | ((row: Row) => Cell)>>) =>
  (rows: readonly Row[]): string => {
    if (rows.length === 0 && none !== "") return `${none}\n`;
    const cells = Object.values(columns);
    const valuesOf = (row: Row) => cells.map((cell): unknown => (typeof cell === "function" ? cell(row) : row[cell]));
    return formatTable(
      Object.keys(columns),
      rows.map((row) => valuesOf(row).map((value) => (value === null ? "-" : String(value)))),
    );
  };

/** `Name   value` lines. */
export function formatFields(pairs: readonly (readonly [string, string])[], paint = plain): string {
  const cells = pairs.map(([name, value]) => [printable(name), printable(value)]);
  const width = Math.max(...pairs.map(([name]) => Bun.stringWidth(name)));
  return terminated(cells.map((pair) => aligned(pair, [width], paint)));
}

/** Colours a cell; the colours take no width. */
type PaintCell = (cell: string, column: number) => string;

const plain: PaintCell = (cell) => cell;

/**
 * The text without characters that control a terminal: phones, carriers and callback receivers choose some of what is
 * printed. Control characters, line separators and direction overrides are removed; joiners stay, because Persian needs
 * them.
 */
export const printable = (text: string) => text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, " ");

function aligned(cells: readonly string[], widths: readonly number[], paint: PaintCell): string {
  const padded = cells.map(
    (cell, column) => paint(cell, column) + " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell))),
  );
  return padded.join("  ").trimEnd();
}

const terminated = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

export const joinLines = (lines: readonly string[], paint = plain) =>
  terminated(lines.map((line) => paint(printable(line), 0)));

/** `2026-11-20 15:36:00Z`; a dash for null. */
export function shortTime(iso: string | null): string {
  return iso === null ? "-" : `${iso.slice(0, 19).replace("T", " ")}Z`;
}

export const yesNo = (value: boolean) => (value ? "yes" : "no");
export const orDash = (value: string | number | null) => (value === null || value === "" ? "-" : String(value));

/** `2 d 3 h`, `4 min 5 s`: the two largest units. */
export function formatDuration(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ] as const;
  let rest = Math.max(0, Math.floor(seconds));
  const shown: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || (name === "s" && shown.length === 0)) shown.push(`${count} ${name}`);
  }
  return shown.slice(0, 2).join(" ");
}
