/** Lists of numbers as people have them: typed, pasted, or in a file. */
import { describe, expect, test } from "bun:test";
import { validNumbers } from "../../src/domain/phone-number.ts";
import { fileEntries, typedEntries } from "../../src/messaging/messages/recipient-file.ts";
import { readRecipients } from "../../src/messaging/messages/recipient-list.ts";

const entriesOf = (text: string) => Array.fromAsync(fileEntries(text));

test("typed entries are separated by lines, commas and semicolons of either script, and trimmed", () => {
  expect(typedEntries(" 0912 111 ,0913;0914\n\n0915\r\n۰۹۱۶،0917؛ 0918 ")).toEqual([
    ...["0912 111", "0913", "0914", "0915", "۰۹۱۶", "0917", "0918"],
  ]);
  expect(typedEntries("1,2,3", 2)).toEqual(["1", "2"]);
  expect(typedEntries(" \n,")).toEqual([]);
});

describe("the entries of a file", () => {
  test("are its lines, if it has one column", async () => {
    expect(await entriesOf("09121234567\n\n 09131234567 \n")).toEqual(["09121234567", "09131234567"]);
    expect(await entriesOf("\ufeff۰۹۱۲۱۲۳۴۵۶۷\r\nabc\r\n")).toEqual(["۰۹۱۲۱۲۳۴۵۶۷", "abc"]);
    expect(await entriesOf("")).toEqual([]);
  });

  test("are those of the column with a known header, whatever stands before it", async () => {
    expect(
      await entriesOf("name,id,mobile\nSara,1234567,09121234567\nAli,7654321,\nReza,1,09131234567,more\n"),
    ).toEqual([...["09121234567", "09131234567"]]);
    expect(await entriesOf("نام;موبایل\nسارا;09121234567\n")).toEqual(["09121234567"]);
    expect(await entriesOf("list of 1404\nname,mobile\nSara,0912\n")).toEqual(["0912"]);
  });

  test("else of the first column that looks like a number, from the first line that has one", async () => {
    expect(await entriesOf("who,where\nSara,0912 123 4567\nAli,0913\n")).toEqual(["0912 123 4567", "0913"]);
    expect(await entriesOf("a,b\n123456,x\n")).toEqual([]);
    expect(await entriesOf("a,b\n123456,1234567\n")).toEqual(["1234567"]);
    expect(await entriesOf("a;b\n1;09121234567\n2\n")).toEqual(["09121234567"]);
  });

  test("are separated by what the first line has most of", async () => {
    expect(await entriesOf("a,b;mobile;c\n1,2;09121234567;3\n")).toEqual(["09121234567"]);
    expect(await entriesOf("\n\n  a,b;mobile;c\n1,2;09121234567;3\n")).toEqual(["09121234567"]);
    expect(await entriesOf("a\tmobile\tb\n1\t09121234567\t2,3,4\n")).toEqual(["09121234567"]);
  });

  test("do not end at old line ends, nor at a quotation mark within a cell", async () => {
    expect(await entriesOf("mobile\r09121234567\r09131234567\r")).toEqual(["09121234567", "09131234567"]);
    expect(await entriesOf('name,mobile\n"Sara, A.",09121234567\nAli "B",09131234567\n')).toEqual([
      ...["09121234567", "09131234567"],
    ]);
  });

  test("are read to the end of a file of many pieces", async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => `0912${1_000_000 + index}`);
    expect(await entriesOf(numbers.join("\n"))).toEqual(numbers);
  });

  test("end where a line has more than 64 KiB, and where a quotation mark never closes", async () => {
    const max = 64 * 1024;
    await expect(entriesOf(`mobile\n${",".repeat(max + 1)}\n`)).rejects.toThrow(
      "a line has more than 65536 characters",
    );
    await expect(entriesOf(`mobile\n${" ".repeat(3 * max)}\n`)).rejects.toThrow(
      "a line has more than 65536 characters",
    );
    await expect(entriesOf('mobile\n"0912\n')).rejects.toThrow(/quote/i);
    expect(await entriesOf(`mobile,b\n0912,${"x".repeat(max - 10)}\n`)).toEqual(["0912"]);
  });
});

test("recipients are distinct and in order; repeats are counted, and what is refused keeps its place", async () => {
  const rules = { defaultRegion: "IR", numbers: validNumbers, countries: new Set(["IR"]) };
  expect(await readRecipients(["09131234567", "021", "+4915112345678", "+989131234567", "09121234567"], rules)).toEqual(
    {
      recipients: ["+989131234567", "+989121234567"],
      repeats: 1,
      refused: [
        { position: 2, value: "021", problem: "not_mobile" },
        { position: 3, value: "+4915112345678", problem: "country_not_allowed" },
      ],
    },
  );
  const numbers = Array.from({ length: 600 }, (_, index) => `+98912${1_000_000 + index}`);
  expect((await readRecipients(numbers, rules)).recipients).toEqual(numbers);
});
