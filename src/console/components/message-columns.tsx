/** Columns shared by the lists of messages: the time, and the number that links to the message. */
import type { GivenTime } from "../format/format.ts";
import { Name, Phone, Time } from "./inline.tsx";
import { type Column, RowLink } from "./records.tsx";

export const timeColumn = <Row,>(
  head: string,
  timeOf: (row: Row) => GivenTime,
  as: "moment" | "clockSeconds" = "moment",
): Column<Row> => ({
  head,
  phone: "aside",
  cell: (row) => (
    <span class="muted nowrap">
      <Time at={timeOf(row)} as={as} />
    </span>
  ),
});

/** Of what belongs to an account, or to none. */
export const accountColumn = <Row extends { accountName: string | null }>(head: string): Column<Row> => ({
  head,
  phone: "word",
  cell: ({ accountName }) => (accountName === null ? null : <Name>{accountName}</Name>),
});

/** `list`: the path of the list, below which each of its messages has a page. */
export const numberColumn = <Row extends { trackingCode: string }>(
  head: string,
  list: "/messages" | "/inbound",
  numberOf: (row: Row) => string,
): Column<Row> => ({
  head,
  phone: "title",
  cell: (row) => (
    <RowLink href={`${list}/${row.trackingCode}`}>
      <Phone number={numberOf(row)} />
    </RowLink>
  ),
});
