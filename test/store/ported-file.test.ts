/** The file of ported numbers: what was added is found, in any order and over any number of runs, and nothing else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { portedFileName } from "../../src/platform/ported-files.ts";
import { PortedBuilder, PortedBuilderBusy } from "../../src/store/ported-builder.ts";
import { PortedFile, portedNumber } from "../../src/store/ported-file.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "peyk-ported-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function build(entries: Iterable<readonly [number, number]>, recordsOfRun?: number) {
  const builder = new PortedBuilder(folder, recordsOfRun);
  try {
    for (const [number, place] of entries) builder.add(number, place);
    return builder.finish(["A", "B", "C"]);
  } finally {
    builder.close();
  }
}

async function table(entries: Iterable<readonly [number, number]>, recordsOfRun?: number) {
  const built = build(entries, recordsOfRun);
  if (!("sum" in built)) throw new Error("There are conflicts");
  return { ...built, file: await PortedFile.open(folder, built.sum) };
}

const number = fc.oneof(
  fc.integer({ min: 1_000_000, max: 999_999_999_999_999 }),
  fc.integer({ min: 989_120_000_000, max: 989_120_003_000 }),
);

test("the file answers as a map does", async () => {
  const entry = fc.tuple(number, fc.constantFrom(0, 1, 4_095));
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 2_000 }),
      fc.array(number),
      fc.integer({ min: 1, max: 700 }),
      async (given, others, run) => {
        const map = new Map(given);
        const { file, numbers, repeated } = await table([...map, ...map].toReversed(), run);
        expect({ numbers, repeated }).toEqual({ numbers: map.size, repeated: map.size });
        for (const one of [
          ...map.keys(),
          ...others,
          0,
          999_999_999_999_999,
          ...[...map.keys()].map((each) => each + 1),
        ])
          expect(file.find(one)).toBe(map.get(one) ?? -1);
      },
    ),
    { numRuns: 60 },
  );
});

test("every number with two networks is told, over runs too", () => {
  const numbers = Array.from({ length: 50 }, (_, index) => 989_120_000_000 + index);
  const built = build(
    [...numbers.map((one) => [one, 0] as const), ...numbers.slice(10, 12).map((one) => [one, 1] as const)],
    7,
  );
  expect(built).toEqual({ conflicts: new Set(numbers.slice(10, 12)) });
  expect(readdirSync(folder).filter((name) => !name.endsWith(".numbers"))).toEqual([]);
});

test("numbers that differ in their length alone are different ones", async () => {
  const { file } = await table([[portedNumber("+98912000000"), 1]]);
  expect(file.find(portedNumber("+98912000000"))).toBe(1);
  expect(file.find(portedNumber("+989120000000"))).toBe(-1);
});

test("the same numbers in another order give the same file", () => {
  const entries = [3, 1, 2].map((one) => [989_120_000_000 + one, one] as const);
  expect(build(entries, 2)).toEqual(build(entries.toReversed(), 1));
});

test("a file that is gone, cut, changed or another one is refused", async () => {
  const { sum } = await table(Array.from({ length: 1_000 }, (_, index) => [989_120_000_000 + index, 2] as const));
  const path = join(folder, portedFileName(sum));
  await expect(PortedFile.open(folder, "0".repeat(64))).rejects.toMatchObject({ problem: "missing" });
  const whole = await Bun.file(path).bytes();
  chmodSync(path, 0o600);
  for (const length of [0, 3, 8, 4_000, whole.length - 1]) {
    truncateSync(path, length);
    await expect(PortedFile.open(folder, sum)).rejects.toMatchObject({ problem: "damaged" });
    writeFileSync(path, whole);
  }
  for (const at of [0, 4_000, whole.length - 1, whole.length - 6]) {
    writeFileSync(path, whole.with(at, (whole[at] ?? 0) ^ 1));
    await expect(PortedFile.open(folder, sum)).rejects.toMatchObject({ problem: "damaged" });
  }
  writeFileSync(path, whole);
  expect((await PortedFile.open(folder, sum)).numbers).toBe(1_000);
});

test("two imports do not build in one folder at once", () => {
  const first = new PortedBuilder(folder, 1);
  expect(() => new PortedBuilder(folder, 1)).toThrow(PortedBuilderBusy);
  first.close();
  new PortedBuilder(folder, 1).close();
});
