/** The memory of a process in two kinds: what it needs itself, and pages of files, which the kernel can drop. */
import { expect, test } from "bun:test";
import { processMemory } from "../../src/platform/process-memory.ts";

const megabyte = 1_024 * 1_024;

test("memory that a program writes to counts as its own, and the executable's pages as the files'", () => {
  const before = processMemory();
  const written = new Uint8Array(64 * megabyte).fill(1);
  const after = processMemory();
  const grown = (after?.anonymousBytes ?? 0) - (before?.anonymousBytes ?? 0);
  expect(grown).toBeGreaterThan(32 * megabyte);
  expect(written.at(-1)).toBe(1);
  expect(after?.fileBytes).toBeGreaterThan(megabyte);
  expect((after?.fileBytes ?? 0) - (before?.fileBytes ?? 0)).toBeLessThan(16 * megabyte);
  const { rss } = process.memoryUsage();
  const told = (after?.anonymousBytes ?? 0) + (after?.fileBytes ?? 0);
  expect(Math.abs(told - rss)).toBeLessThan(64 * megabyte);
});

test("a process that has ended has no memory", () => {
  expect(processMemory(2 ** 30)).toBeNull();
});
