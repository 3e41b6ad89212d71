/** Rows as a list page takes them: the first page of them unless another is asked for. */
import { type AskedPart, listPart } from "../../../src/console/data/list-part.ts";

export const listed = <Row>(rows: readonly Row[], asked: AskedPart = { q: "", page: 1 }) =>
  listPart(rows, asked, () => "");
