/** Rows of records: a table on a wide screen, blocks on a phone; with the search above, and the way to older ones below. */
import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  /** Figures stand under each other: ones under ones. */
  figure?: boolean;
  /** Quiet buttons: at the end of the row, below all else in the block of a phone. */
  buttons?: boolean;
  /** What the cell is in the block of a phone: its first line, the end of that line, a line of its own, or a word of the last. */
  phone: "title" | "aside" | "line" | "word" | "absent";
  /** Its head stands before it on a phone too. */
  named?: boolean;
}

interface RecordsProps<Row> {
  /** What the rows are, for who hears the page. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  id?: string;
}

/** Written out, because to some screen readers a table whose cells are laid out as blocks is no table any more. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

export function Records<Row>({ label, columns, rows, keyOf, id }: RecordsProps<Row>) {
  return (
    <table class="records" aria-label={label} {...roles.table}>
      <thead {...roles.group}>
        <tr {...roles.row}>
          {columns.map((column) => (
            <th key={column.head} scope="col" {...roles.head} class={alignmentOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...roles.group} id={id}>
        {rows.map((row) => (
          <RecordRow key={keyOf(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function alignmentOf({ figure, buttons }: Pick<Column<never>, "figure" | "buttons">): string | undefined {
  if (figure === true) return "figure-cell";
  return buttons === true ? "buttons-cell" : undefined;
}

export function RecordRow<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr {...roles.row} class="record">
      {columns.map(({ head, cell, phone, named, ...column }) => (
        <td
          key={head}
          {...roles.cell}
          class={[`cell-${phone}`, alignmentOf(column)].filter((one) => one !== undefined).join(" ")}
          data-head={named === true ? head : undefined}
        >
          {column.buttons === true ? <div class="row-actions">{cell(row)}</div> : cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** The link of a row: its first cell's, and by the script the whole row's. */
export function RowLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="row-link" href={href}>
      {children}
    </a>
  );
}

export interface Chip {
  name: string;
  value: string;
  /** The same list without it. */
  without: string;
}

export function Chips({ chips, all }: { chips: readonly Chip[]; all: string }) {
  const { words } = useLocale();
  if (chips.length === 0) return null;
  return (
    <ul class="chips">
      {chips.map(({ name, value, without }) => (
        <li class="chip" key={name}>
          <span class="muted">{name}</span>
          <bdi>{value}</bdi>
          <a class="chip-away" href={without} aria-label={words.lists.dropFilter(name)}>
            <Icon name="close" />
          </a>
        </li>
      ))}
      <li>
        <a class="chips-clear" href={all}>
          {words.lists.dropAll}
        </a>
      </li>
    </ul>
  );
}

export interface PageLinks {
  /** `1–50 of about 18,400`, ready to read. */
  range: string;
  newer: string | null;
  older: string | null;
  /** Of a list that is not by time. */
  names?: { newer: string; older: string };
}

export function Pagination({ range, newer, older, names }: PageLinks) {
  const { words } = useLocale();
  const say = names ?? words.lists;
  return (
    <nav class="pagination" aria-label={words.lists.pages}>
      <span class="muted">{range}</span>
      <span class="pagination-links">
        {newer === null ? null : (
          <a class="button" href={newer} rel="prev">
            <Icon name="left" />
            {say.newer}
          </a>
        )}
        {older === null ? null : (
          <a class="button" href={older} rel="next">
            {say.older}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  );
}
