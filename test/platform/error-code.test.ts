import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileFailure } from "../../src/platform/error-code.ts";

function failureOf(path: string): string {
  try {
    readFileSync(path);
  } catch (reason) {
    return fileFailure(reason);
  }
  throw new Error(`${path} can be read`);
}

test("an unusable file is explained in words", () => {
  expect(failureOf(join(import.meta.dir, "none"))).toBe("it does not exist");
  expect(failureOf(import.meta.dir)).toBe("it is a folder");
  expect(failureOf(join(import.meta.path, "x"))).toBe("a part of its path is not a folder");
  expect(failureOf("a".repeat(300))).toBe("its name is too long");
});

test("an error without an explanation keeps its message", () => {
  expect(fileFailure(new Error("not a PEM file"))).toBe("not a PEM file");
  expect(fileFailure("gone")).toBe("gone");
});
