/** What a function made is remembered for its newest arguments. */
import { expect, test } from "bun:test";
import { rememberLatest } from "../../src/platform/remember-latest.ts";

test("an argument beyond the limit makes room by dropping the oldest", () => {
  const made: string[] = [];
  const upper = rememberLatest((text) => {
    made.push(text);
    return text.toUpperCase();
  }, 2);
  expect(["a", "b", "a", "c", "b", "a"].map(upper)).toEqual(["A", "B", "A", "C", "B", "A"]);
  expect(made).toEqual(["a", "b", "c", "a"]);
});

test("a failure is not remembered", () => {
  let isBroken = true;
  const read = rememberLatest((text) => {
    if (isBroken) throw new Error("broken");
    return text;
  }, 2);
  expect(() => read("a")).toThrow("broken");
  isBroken = false;
  expect(read("a")).toBe("a");
});
