/** Price lists as operators write them: how they are read, and the errors of each wrong line. */
import { expect, test } from "bun:test";
import { toldProblem } from "../../src/domain/operator-problem.ts";
import { priceLineOf, readPriceFile } from "../../src/messaging/billing/price-lines.ts";

const now = Date.parse("2026-11-20T15:36:00Z");
const read = (file: string) => readPriceFile(file, { now, timeZone: "Asia/Tehran" });

async function problemsOf(file: string) {
  return (await read(file)).problems;
}
/** In English, without the codes. */
const toldOf = async (file: string) =>
  (await problemsOf(file)).map(toldProblem).map(({ key, message }) => ({ key, message }));

test("a price file has prefixes, prices and days", async () => {
  const file = "\ufeffprefix;price;from\n*;1200;\n+98912;900;2026-12-01\n00989۳۵;۸۵۰;\n49;0;2026-11-20\n";
  const lines = [
    { prefix: "", amount: 1200, validFrom: now },
    { prefix: "98912", amount: 900, validFrom: Date.parse("2026-11-30T20:30:00Z") },
    { prefix: "98935", amount: 850, validFrom: now },
    { prefix: "49", amount: 0, validFrom: now },
  ];
  expect(await read(file)).toEqual({ lines, problems: [], stops: false });
  const short = [{ prefix: "98", amount: 7, validFrom: now }];
  expect(await read("Price,Prefix\n7,98\n")).toEqual({ lines: short, problems: [], stops: false });
});

test("every wrong line is named", async () => {
  const file = [
    "prefix,price,from",
    "98912,900,",
    "98912,800,",
    "98x,900,",
    "98935,12.5,",
    "98935,-1,",
    "98935,9,2026-11-19",
    "98935,9,soon",
    "98936",
    "98937,1000000001,",
  ].join("\n");
  expect(await toldOf(file)).toEqual([
    { key: "line 3", message: "98912 has a price from the same day in line 2" },
    { key: "line 4", message: "“98x” is no beginning of a number; one looks like 98912, and * is every number" },
    { key: "line 5", message: "“12.5” is no price: a whole number from 0 to 1000000000 is one" },
    { key: "line 6", message: "“-1” is no price: a whole number from 0 to 1000000000 is one" },
    {
      key: "line 7",
      message: "the price begins on 2026-11-19, which is over: messages since then have their price already",
    },
    { key: "line 8", message: "“soon” is no date; one looks like 2026-12-01 or 1405-09-10" },
    { key: "line 9", message: "“” is no price: a whole number from 0 to 1000000000 is one" },
    { key: "line 10", message: "“1000000001” is no price: a whole number from 0 to 1000000000 is one" },
  ]);
  expect((await problemsOf(file)).map(({ code, values }) => ({ code, values })).slice(0, 3)).toEqual([
    { code: "price_repeated", values: { value: "98912", line: 2 } },
    { code: "price_prefix", values: { value: "98x" } },
    { code: "price_amount", values: { value: "12.5", max: 1_000_000_000 } },
  ]);
  expect(await toldOf("")).toEqual([
    { key: "line 1", message: "the first line must name the columns: prefix,price or prefix,price,from" },
  ]);
  expect(await toldOf("prefix,price\n")).toEqual([{ key: "line 1", message: "the file holds no price" }]);
  const broken = { problems: [{ key: expect.stringMatching(/^line \d+$/) }], stops: true };
  expect(await read('prefix,price\n"98,1\n')).toMatchObject(broken);
});

test("a line's limits hold at both edges", async () => {
  const line = (prefix: string, price: string, from = "") =>
    priceLineOf({ prefix, price, from }, { now, timeZone: "Asia/Tehran" });
  expect(line("1".repeat(15), "1000000000")).toEqual({ prefix: "1".repeat(15), amount: 1e9, validFrom: now });
  expect(line("1".repeat(16), "1")).toMatchObject({ problem: { key: "prefix", code: "price_prefix" } });
  expect(line("x98", "1")).toMatchObject({ problem: { key: "prefix" } });
  expect(line("98", "1000000001")).toMatchObject({ problem: { key: "price", code: "price_amount" } });
  expect(line("98", "1", "soon")).toMatchObject({ problem: { key: "from", code: "price_date" } });
  const dayEndsAt = Date.parse("2026-11-20T20:30:00Z");
  const onDay = (at: number) =>
    priceLineOf({ prefix: "98", price: "1", from: "2026-11-20" }, { now: at, timeZone: "Asia/Tehran" });
  expect(onDay(dayEndsAt - 1)).toMatchObject({ validFrom: dayEndsAt - 1 });
  expect(onDay(dayEndsAt)).toMatchObject({ problem: { key: "from", code: "price_day_over" } });
});

test("columns may be in any order among others, beside spaces and empty lines; a column that lacks is told", async () => {
  const one = (prefix: string, amount: number) => ({ prefix, amount, validFrom: now });
  const good = { problems: [], stops: false };
  expect(await read("\n\n from , prefix , price \n\n , 98 , 7 \n")).toEqual({ lines: [one("98", 7)], ...good });
  expect(await read("prefix,price,other\n98,1\n97,2,x,y\n")).toEqual({ lines: [one("98", 1), one("97", 2)], ...good });
  expect(await read("\n\nprefix;price\n98;7\n")).toEqual({ lines: [one("98", 7)], ...good });
  expect(await read("prefix,price;\n98,1\n")).toMatchObject({ problems: [{ key: "line 1" }] });
  for (const head of ["price,from", "prefix,from"])
    expect(await read(`${head}\n98,1\n`)).toMatchObject({
      problems: [{ key: "line 1", code: "price_head" }],
      stops: true,
    });
  const unclosed = await read('prefix,price\n98,1\n97,"1\n\n');
  expect(unclosed).toMatchObject({ lines: [one("98", 1)], stops: true });
  expect(unclosed.problems.map(toldProblem)).toMatchObject([
    { key: "line 4", message: expect.stringContaining("Quote Not Closed") },
  ]);
});

test("a file is given up at its thousandth wrong line, and not before", async () => {
  const file = (wrong: number) => `prefix,price\n98,1\n${"98x,1\n".repeat(wrong)}97,1\n`;
  const before = await read(file(999));
  expect([before.lines.length, before.problems.length, before.stops]).toEqual([2, 999, false]);
  const at = await read(file(1_000));
  expect([at.lines.length, at.problems.length, at.stops]).toEqual([1, 1_000, true]);
});
