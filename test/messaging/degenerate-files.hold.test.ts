/** Files of members or numbers that contain none: they are refused early, and do not block the event loop. */
import { describe, expect, test } from "bun:test";
import { validNumbers } from "../../src/domain/phone-number.ts";
import { previewImport } from "../../src/messaging/groups/import-preview.ts";
import { readMemberCsv } from "../../src/messaging/groups/member-csv.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { expectNoHold } from "../support/longest-turn.ts";

const region = "IR";
const sixteenMegabytes = 16 * 1024 * 1024;
const full = (one: string) => one.repeat(Math.floor(sixteenMegabytes / Buffer.byteLength(one)));
const openLine = "1: has more than 65536 characters; each line of the file holds one number";

const files: Readonly<Record<string, { content: string; told: string }>> = {
  commas: { content: full(","), told: openLine },
  quotes: { content: full('"'), told: openLine },
  spaces: { content: full(" "), told: openLine },
  "Persian without a line's end": { content: full("س"), told: openLine },
  "line ends": { content: full("\r\n"), told: "1: the file is empty; its first line must name the columns" },
  "zero bytes": {
    content: full("\0"),
    told: "1: holds a zero byte, so the file is not text; save it as “CSV UTF-8” and try again",
  },
  "a quotation mark that never closes": {
    content: `mobile\n09121234567\n"${full("a\n")}`,
    told: "3: a field goes on over the line's end; is a quotation mark not closed?",
  },
  "a zero byte in a later line": {
    content: "mobile\n09121234567\n0912\0",
    told: "3: holds a zero byte, so the file is not text; save it as “CSV UTF-8” and try again",
  },
  "a later line that does not end": {
    content: `mobile\r\n09121234567\r\n${full("7")}`,
    told: "3: has more than 65536 characters; each line of the file holds one number",
  },
};

describe.each(Object.entries(files))("a file of %s", (_, { content, told }) => {
  const file = Buffer.from(content);
  const tell = ({ line, message }: { line: number; message: string }) => `${line}: ${message}`;

  test("is refused by a preview without blocking the event loop", async () => {
    await expectNoHold(async () => {
      const { problems } = await previewImport(
        { defaultRegion: region, numbers: validNumbers, random: systemRandom },
        file,
        null,
        new AbortController().signal,
      );
      expect(problems.map(tell)).toEqual([told]);
    });
  });

  test("is refused by an import without blocking the event loop", async () => {
    await expectNoHold(async () => {
      const lines = await Array.fromAsync(readMemberCsv(new Blob([file]).stream(), region));
      expect(
        lines.flatMap((line) => (line.kind === "problem" ? [tell({ line: line.line, ...line.problem })] : [])),
      ).toEqual([told]);
    });
  });
});

test("numbers with equal remainders do not slow a preview down, and each counts once", async () => {
  const mobiles = Array.from({ length: 163_000 }, (_, index) => `+${989_100_000_015 + 61 * index}`);
  const file = Buffer.from(["mobile", ...mobiles, mobiles[0]].join("\n"));
  const deps = { defaultRegion: region, numbers: validNumbers, random: systemRandom };
  await expectNoHold(async () => {
    const { members, repeated } = await previewImport(deps, file, null, new AbortController().signal);
    expect({ members, repeated }).toEqual({ members: mobiles.length, repeated: 1 });
  });
});

test("combining marks instead of a column's name do not block the event loop", async () => {
  const file = Buffer.from(`${"\u0323\u0301".repeat(16_000)},mobile\nx,09121234567\n`);
  // With normalisation, they took two seconds.
  await expectNoHold(async () => {
    const lines = await Array.fromAsync(readMemberCsv(new Blob([file]).stream(), region));
    expect(lines.map(({ kind }) => kind)).toEqual(["ignored", "member"]);
  });
});
