/** No regular expression of src/ takes more than linear time on any input. */
import { expect, test } from "bun:test";
import { patternProblems } from "../scripts/check-patterns.ts";
import { readSource, readSourceTree } from "./support/source-tree.ts";

const checkTimeoutMs = 300_000;

test(
  "every regular expression takes time linear in its input",
  async () => {
    expect(await patternProblems(readSourceTree())).toEqual([]);
  },
  checkTimeoutMs,
);

test(
  "the check finds a quadratic expression, and one built at run time",
  async () => {
    const text =
      'const a = /^\\s*(.*?)\\s*$/;\nconst b = /^[a-z]+$/;\nconst c = new RegExp("x");\nconst d = RegExp("y");\n';
    expect(await patternProblems([readSource("src/x.ts", text)])).toEqual([
      expect.stringMatching(/^src\/x\.ts:1 .* is \d\w+ degree polynomial$/),
      "src/x.ts:3 makes a regular expression at run time",
      "src/x.ts:4 makes a regular expression at run time",
    ]);
  },
  checkTimeoutMs,
);
