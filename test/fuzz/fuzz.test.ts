/** No parser of foreign octets takes more than twenty times as long as `JSON.parse`, or throws an unexpected error. */
import { expect, test } from "bun:test";
import { readSourceTree } from "../support/source-tree.ts";
import { type Offence, offenceOf } from "./fuzz.ts";
import { otherReaders, type Parser, parsers } from "./parsers.ts";

/** Of processor time, over all parsers. An hour: `TEST_FUZZ_SECONDS=3600 bun test --timeout=9999999 test/fuzz`. */
const seconds = Number(process.env.TEST_FUZZ_SECONDS ?? 10);
const seed = Number(process.env.TEST_FUZZ_SEED ?? 1);

/** Rounds of one parser for its share of the time; the first violation ends them. */
function fuzz(parser: Parser): Offence | null {
  const before = process.cpuUsage();
  const shareUs = (seconds * 1e6) / parsers.length;
  for (let round = 0; ; round += 1) {
    const offence = offenceOf(parser, round, seed);
    if (offence !== null) return offence;
    const { user, system } = process.cpuUsage(before);
    if (user + system > shareUs) return null;
  }
}

test(
  "no parser takes more than twenty times as long as JSON.parse for hostile octets, or throws an untyped error",
  () => {
    expect(parsers.flatMap((parser) => fuzz(parser) ?? [])).toEqual([]);
  },
  seconds * 20_000,
);

test("the fuzzer finds a quadratic parser and one that throws an unexpected error", () => {
  const found = (parse: (octets: Buffer) => unknown) => {
    for (let round = 0; round < 200; round += 1) {
      const offence = offenceOf({ name: "planted", prepare: (octets) => () => parse(octets) }, round);
      if (offence !== null) return offence.what.split(" ")[0];
    }
    return null;
  };
  const quadratic = (text: string) => [...text].filter((_, at) => text.lastIndexOf("nowhere to be found", at) >= 0);
  expect(found((octets) => quadratic(octets.toString("latin1", 0, 20_000)))).toBe("takes");
  expect(found((octets) => new URL(octets.toString("latin1", 0, 100)))).toBe("throws");
});

test("the fuzzer's table lists every function of src that reads what a stranger may send", () => {
  const listed = new Set(parsers.map(({ name }) => name));
  const ours = /^src\/(cli|config|server|platform|store|metrics|operator|reports|conditions|alerts|users)\//;
  const missing = readSourceTree()
    .filter(({ path }) => !ours.test(path))
    .flatMap(({ path, exports, functions }) =>
      exports
        .filter((name) => /^(parse|read|decode)[A-Z]/.test(name) && functions.some((one) => one.name === name))
        .map((name) => `${path.slice("src/".length)} ${name}`),
    )
    .filter((name) => !listed.has(name) && otherReaders.every(({ which }) => !which.test(name)));
  expect(missing).toEqual([]);
});
