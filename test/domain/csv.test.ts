/** Cells of CSV as a spreadsheet takes them. */
import { expect, test } from "bun:test";
import { csvLine } from "../../src/domain/csv.ts";

test("what a spreadsheet would run has an apostrophe before it, also behind an end of line", () => {
  const formulas = ["=1+1", "@SUM(A1)", "+1+1", "-1+1", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1"];
  for (const text of formulas) expect(csvLine([text]).replaceAll('"', "").startsWith(`'${text}`)).toBe(true);
  expect(csvLine(["+989121234567", -5, "a=b", null])).toBe("+989121234567,-5,a=b,\r\n");
});
