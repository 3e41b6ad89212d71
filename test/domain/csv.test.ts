/** Cells of CSV as spreadsheets read them: with commas, and with other separators. */
import { expect, test } from "bun:test";
import { csvLine } from "../../src/domain/csv.ts";

const formulas = ["=1+1", "@SUM(A1)", "+1+1", "-1+1", "＝1", "＋1", "－1", "＠1", "-1 ", "+"];
/** As a spreadsheet reads it that separates by `separator`: a quote counts at the beginning of a cell. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, quoted] = ["", false];
  for (let at = 0; at < csv.length; at += 1) {
    const character = csv.charAt(at);
    if (quoted && character === '"' && csv.charAt(at + 1) === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (character === '"' && (quoted || cell === "")) quoted = !quoted;
    else if (!quoted && (character === separator || /[\r\n]/.test(character))) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell];
}
const runs = (cell: string) => /^\s*[=@＝＠＋－]|^\s*[+-](?![0-9]+$)/.test(cell);

test("a formula gets an apostrophe wherever one of its cells begins", () => {
  for (const before of ["", " ", "\t", "\n", "\r\n", '"', "text;", "text; ", 'a";"', ";;", "a|", "a\nb\n", "5;"]) {
    for (const formula of formulas) {
      const csv = csvLine(["first", `${before}${formula};rest`, "+98912", null]);
      for (const separator of [",", ";", "\t", "|"]) {
        const cells = cellsOf(csv, separator);
        expect({ before, formula, separator, run: cells.filter(runs) }).toEqual({
          before,
          formula,
          separator,
          run: [],
        });
      }
      expect(cellsOf(csv, ",")[1]?.replaceAll("'", "")).toBe(`${before}${formula};rest`);
    }
  }
});

test("text that is not a formula stays unchanged", () => {
  expect(csvLine(["+989121234567", -5, "a=b", "a-b; c", "5;-5;+98912\n-7", null])).toBe(
    '+989121234567,-5,a=b,a-b; c,"5;-5;+98912\n-7",\r\n',
  );
  expect(csvLine(["'=1", "a,b", 'say "so"'])).toBe('\'=1,"a,b","say ""so"""\r\n');
});

test("a cell of a million spaces, quotes or separators before a sign is written quickly", () => {
  for (const filler of [" ", '"', ";", "\n", "- ", "-1"]) {
    const begun = performance.now();
    csvLine([`${filler.repeat(1_000_000)}=x`]);
    expect(performance.now() - begun).toBeLessThan(1_500);
  }
});
