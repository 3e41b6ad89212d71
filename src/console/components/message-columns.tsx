/** Columns shared by the lists of messages: the time, and the number that links to the message. */
import { Phone, Time } from "./inline.tsx";
import { type Column, RowLink } from "./records.tsx";

export const timeColumn = <Row extends { at: number }>(head: string): Column<Row> => ({
  head,
  phone: "aside",
  cell: ({ at }) => (
    <span class="muted nowrap">
      <Time at={at} />
    </span>
  ),
});

/** `list`: the path of the list, below which each of its messages has a page. */
export const numberColumn = <Row extends { code: string }>(
  head: string,
  list: "/messages" | "/inbound",
  numberOf: (row: Row) => string,
): Column<Row> => ({
  head,
  phone: "title",
  cell: (row) => (
    <RowLink href={`${list}/${row.code}`}>
      <Phone number={numberOf(row)} />
    </RowLink>
  ),
});
