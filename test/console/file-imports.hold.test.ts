/** Imports that a page follows: the content of a wrong line is found in a large file without blocking the event loop. */
import { expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { FileImports, refusedLinesOf } from "../../src/console/page/file-imports.ts";
import type { ImportLine } from "../../src/operator/group-import.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { ManualClock } from "../support/manual-clock.ts";

const lineCount = 1_000_000;
const file = new TextEncoder().encode(Array.from({ length: lineCount }, (_, index) => `${index + 1}\r\n`).join(""));

const coded = { code: "no_mobile_number", values: {} } as const;

async function follow(told: readonly ImportLine[]) {
  const imports = new FileImports({ random: systemRandom, clock: new ManualClock() });
  const answer = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const line of told) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
      controller.close();
    },
  });
  const id = imports.start(1, { kind: "suppression", name: null, href: "/suppression" }, file, answer);
  const running = imports.of(1, id);
  if (running === null) throw new Error("The import is not known");
  while (running.end === null) await new Promise((resolve) => setImmediate(resolve));
  return running;
}

test("the last thousand wrong lines of a million are shown with their content", async () => {
  const problems = Array.from({ length: 1_000 }, (_, index): ImportLine => {
    return { kind: "problem", line: lineCount - 999 + index, message: "is no number", ...coded };
  });
  const told: ImportLine[] = [
    { kind: "progress", lines: lineCount / 2, members: 0 },
    ...problems,
    { kind: "problem", line: 7, message: "is found at last", ...coded },
    { kind: "wrong", problems: problems.length + 1 },
  ];
  let refused = "";
  // The file used to be read from its beginning for each of them: a minute.
  await expectNoHold(async () => {
    const running = await follow(told);
    expect([running.lines, running.problemCount]).toEqual([lineCount, 1_001]);
    refused = await new Response(refusedLinesOf(running)).text();
  });
  const lines = refused.trim().split("\r\n");
  expect([lines[1], lines[1_000], lines[1_001]]).toEqual([
    "999001,999001,is no number",
    "1000000,1000000,is no number",
    "7,7,is found at last",
  ]);
}, 180_000);

test("ten thousand long lines that were left out are offered as CSV", async () => {
  const value = "x,+".repeat(500);
  const problems = Array.from({ length: 10_000 }, (_, index) => ({
    line: index + 2,
    value,
    problem: { message: "has no mobile number", ...coded },
  }));
  const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now: Date.UTC(2026, 10, 21) });
  await expectNoHold(async () => {
    let bytes = 0;
    for await (const piece of refusedLinesOf({ problems }, persian)) bytes += piece.length;
    expect(bytes).toBeGreaterThan(problems.length * value.length);
  });
}, 180_000);
