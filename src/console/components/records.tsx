/**
 * Rows of records: a table on a wide screen, blocks on a phone, with the search above and the link to older ones below.
 */
import { type ComponentChildren, Fragment } from "preact";
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  /** A numeric column: digits are aligned. */
  figure?: boolean;
  /** One line, truncated at the column's edge; the tooltip has the whole text, which this returns. */
  clip?: (row: Row) => string;
  /** Takes the remaining width; its content truncates itself. */
  fills?: boolean;
  /** Secondary buttons: at the end of the row, or at the bottom of the block on a phone. */
  buttons?: boolean;
  /**
   * The cell's place in the block on a phone: its first line, the end of that line, a line of its own, or part of the
   * last.
   */
  phone: "title" | "aside" | "line" | "picture" | "word" | "absent";
  /** Its column heading is also shown on a phone. */
  named?: boolean;
  /** Left out on paper, which may be given away. */
  screenOnly?: boolean;
}

/** Among the last words of the block on a phone, below its heading. */
export const wordColumn = <Row,>(head: string, cell: Column<Row>["cell"]): Column<Row> => ({
  head,
  phone: "word",
  named: true,
  cell,
});

export const figureColumn = <Row,>(head: string, cell: Column<Row>["cell"]): Column<Row> => ({
  ...wordColumn(head, cell),
  figure: true,
});

interface RecordsProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  id?: string;
  /** Rows of 60 pixels, with bars and two lines of words. */
  picture?: boolean;
  /** Before the first row of each band its name, such as a day. */
  bandOf?: (row: Row) => Band;
  /** The id of an empty place above them, where new rows appear. */
  freshId?: string;
}

export interface Band {
  name: string;
  /** At the end of the line, such as a sum. */
  aside?: ComponentChildren;
}

/** Explicit, because some screen readers no longer treat a table whose cells are laid out as blocks as a table. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
  band: { role: "rowheader" },
} as const;

export function Records<Row>({ label, columns, rows, keyOf, id, picture = false, bandOf, freshId }: RecordsProps<Row>) {
  const bands = rows.map((row) => bandOf?.(row) ?? null);
  return (
    <table class="records" aria-label={label} {...roles.table}>
      <thead {...roles.group}>
        <tr {...roles.row}>
          {columns.map((column) => (
            <th
              key={column.head}
              scope="col"
              {...roles.head}
              class={classesOf([alignmentOf(column), screenOf(column)])}
            >
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {freshId === undefined ? null : <tbody {...roles.group} id={freshId} />}
      <tbody {...roles.group} id={id}>
        {rows.map((row, index) => {
          const band = bands[index] ?? null;
          return (
            <Fragment key={keyOf(row)}>
              {band === null || band.name === bands[index - 1]?.name ? null : (
                <BandRow {...band} width={columns.length} />
              )}
              <RecordRow row={row} columns={columns} picture={picture} />
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function alignmentOf({ figure, buttons, fills }: Pick<Column<never>, "figure" | "buttons" | "fills">) {
  if (figure === true) return "figure-cell";
  if (fills === true) return "fill-cell";
  return buttons === true ? "buttons-cell" : undefined;
}

const screenOf = ({ screenOnly }: Pick<Column<never>, "screenOnly">) =>
  screenOnly === true ? "screen-only" : undefined;

const classesOf = (names: readonly (string | undefined)[]) =>
  names.filter((name) => name !== undefined).join(" ") || undefined;

export function BandRow({ name, aside, width }: Band & { width: number }) {
  return (
    <tr {...roles.row} class="band">
      <th scope="rowgroup" {...roles.band} colSpan={width}>
        <span class="band-words">
          <span>{name}</span>
          {aside === undefined ? null : <span class="band-aside">{aside}</span>}
        </span>
      </th>
    </tr>
  );
}

interface RowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  picture?: boolean;
  /** It has just come, or changed: marked for two seconds. */
  fresh?: boolean;
  id?: string;
}

export function RecordRow<Row>({ row, columns, picture = false, fresh = false, id }: RowProps<Row>) {
  return (
    <tr {...roles.row} id={id} class={`record${picture ? " picture" : ""}${fresh ? " fresh" : ""}`}>
      {columns.map(({ head, cell, phone, named, clip, ...column }) => (
        <td
          key={head}
          {...roles.cell}
          class={classesOf([`cell-${phone}`, alignmentOf(column), clip && "clip-cell", screenOf(column)])}
          title={clip?.(row)}
          data-head={named === true ? head : undefined}
        >
          {column.buttons === true ? (
            <div class="row-actions">{cell(row)}</div>
          ) : clip === undefined ? (
            cell(row)
          ) : (
            // Truncated after its own text, whose direction is not sought inside a `bdi`.
            <div class="clip" dir="auto">
              {cell(row)}
            </div>
          )}
        </td>
      ))}
    </tr>
  );
}

/** The row's link: on its first cell and, by the script, on the whole row. */
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
  /** The same list without the filter. */
  without: string;
}

/** A filter that is not set: its chip goes to its field. */
export interface OfferedFilter {
  name: string;
  /** The field's id. */
  field: string;
}

interface ChipsProps {
  chips: readonly Chip[];
  /** The list without any filter. */
  all: string;
  more?: readonly OfferedFilter[];
}

export function Chips({ chips, all, more = [] }: ChipsProps) {
  const { words } = useLocale();
  if (chips.length + more.length === 0) return null;
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
      {more.map(({ name, field }) => (
        <li key={field}>
          <a class="chip chip-more" href={`#${field}`} data-field="">
            <Icon name="plus" />
            {name}
          </a>
        </li>
      ))}
      {chips.length === 0 ? null : (
        <li>
          <a class="chips-clear" href={all}>
            {words.lists.dropAll}
          </a>
        </li>
      )}
    </ul>
  );
}

export interface PageLinks {
  /** `1–50 of about 18,400`, already formatted. */
  range: string;
  newer: string | null;
  older: string | null;
  /** For a list that is not ordered by time. */
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
