/** Text that follows a quoted field of a list of members: its line is wrong, and the others are read. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { validNumbers } from "../../src/domain/phone-number.ts";
import { previewImport } from "../../src/messaging/groups/import-preview.ts";
import { readMemberCsv } from "../../src/messaging/groups/member-csv.ts";
import { systemRandom } from "../../src/platform/random.ts";

const region = "IR";
const told = "text follows the closing quotation mark of a field";
const lines = [
  "mobile,firstName",
  "09121234567,Ali",
  '"09121234568"b,c',
  '"09121234569" ,"Sara ""S"""',
  '09121234570,"Reza" "K, L",M',
  "09121234571,Mina",
];

async function read(file: Uint8Array, pieceBytes: number) {
  async function* pieces() {
    for (let from = 0; from < file.length; from += pieceBytes) yield file.subarray(from, from + pieceBytes);
  }
  const [members, problems]: [string[], [number, string][]] = [[], []];
  for await (const found of readMemberCsv(pieces(), region)) {
    if (found.kind === "member") members.push(`${found.member.recipient} ${found.member.firstName}`);
    if (found.kind === "problem") problems.push([found.line, found.problem.message]);
  }
  return { members, problems };
}

const preview = (file: string) =>
  previewImport(
    { defaultRegion: region, numbers: validNumbers, random: systemRandom },
    Buffer.from(file),
    null,
    new AbortController().signal,
  );

test.each([1, 3, 7, 1_000])(
  "text after a closing quote makes its line wrong in a file in pieces of %i bytes",
  async (pieceBytes) => {
    expect(await read(Buffer.from(lines.join("\r\n")), pieceBytes)).toEqual({
      members: ["+989121234567 Ali", '+989121234569 Sara "S"', "+989121234571 Mina"],
      problems: [
        [3, told],
        [5, told],
      ],
    });
  },
);

test("a preview reports text after a closing quote, and continues with the other lines", async () => {
  const { layout, sample, members, problemCount, problems } = await preview(lines.join("\n"));
  expect(layout).toEqual({ columns: ["mobile", "firstName"], hasHeader: true });
  expect(sample.map((cells) => cells.length)).toEqual([2, 2, 2, 2, 4, 2]);
  expect({ members, problemCount }).toEqual({ members: 3, problemCount: 2 });
  expect(problems.map(({ line, code, message }) => [line, code, message])).toEqual([
    [3, "text_after_quote", told],
    [5, "text_after_quote", told],
  ]);
});

test("text after a closing quote makes the header wrong, but its columns are still known", async () => {
  const { members, problems } = await preview('"mobile"x,firstName\n09121234567,Ali\n');
  expect(members).toBe(1);
  expect(problems.map(({ line, message }) => [line, message])).toEqual([[1, told]]);
});

test("text after a closing quote is found in exactly the lines that have it, however quoted and split", async () => {
  const name = fc.stringMatching(/^[a-z,;" ]{0,6}[a-z]$/);
  const row = fc.record({ name, before: fc.constantFrom("", " "), text: fc.constantFrom("", "", "x", ' "y"', "z;") });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), async (rows, pieceBytes) => {
      const quoted = rows.map(({ name: one, before, text }) => `${before}"${one.replaceAll('"', '""')}"${text}`);
      const file = ["mobile,firstName", ...quoted.map((one) => `09121234567,${one}`)].join("\n");
      const found = await read(Buffer.from(file), pieceBytes);
      const withText = rows.flatMap(({ text }, index) => (text === "" ? [] : [index + 2]));
      expect(found.problems).toEqual(withText.map((line) => [line, told]));
      const others = rows.filter(({ text }) => text === "").map(({ name: one }) => `+989121234567 ${one}`);
      expect(found.members).toEqual(others);
    }),
  );
});
