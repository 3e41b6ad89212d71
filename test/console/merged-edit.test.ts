import { expect, test } from "bun:test";
import fc from "fast-check";
import { mergedEdit, openedWith } from "../../src/console/page/merged-edit.ts";
import { sharedWords } from "../../src/console/words/words.ts";

const fields = fc.record({ name: fc.constantFrom("", "a", "b", "c"), zone: fc.constantFrom("", "a", "b", "c") });

test("a field changed by one of two people keeps that change, and one changed by both is asked for again", () => {
  fc.assert(
    fc.property(fields, fields, fields, (was, typed, now) => {
      const merged = mergedEdit({ opened: openedWith(was), typed, now }, sharedWords.en);
      for (const name of ["name", "zone"] as const) {
        const [mine, theirs] = [typed[name] !== was[name], now[name] !== was[name]];
        expect(merged.fields[name]).toBe(mine ? typed[name] : now[name]);
        expect(merged.errors[name] !== undefined).toBe(mine && theirs && typed[name] !== now[name]);
      }
    }),
  );
});

test("a form that does not say what it was filled with is accepted as it is", () => {
  const [typed, now] = [{ name: "typed" }, { name: "stored" }];
  for (const opened of ["", "[1]", '{"name":1}', "{"]) {
    expect(mergedEdit({ opened, typed, now }, sharedWords.en)).toEqual({ fields: typed, errors: {}, isShared: false });
  }
});
