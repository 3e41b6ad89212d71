/** Colours derived from a brand's one: text in them, and on them, is readable on light and dark pages. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { brandColours, contrastMin, isColour, readableInstead } from "../../src/domain/brand-colours.ts";

/** A second implementation of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const light = (text: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(text.slice(at, at + 2), 16) / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return Math.max(light(one), light(other)) / Math.min(light(one), light(other));
}

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("an accepted colour keeps text readable in it and on it, on light and dark pages", () => {
  fc.assert(
    fc.property(colours, (given) => {
      const accent = readableInstead(given) ?? given;
      expect(readableInstead(accent)).toBeNull();
      const { light, dark } = brandColours(accent);
      for (const [words, ground] of [
        [light.accent, "#ffffff"],
        [light.accent, "#f6f6f3"],
        [light.accent, light.tint],
        [light.onAccent, light.accent],
        [light.onAccent, light.strong],
        [dark.accent, "#1c2024"],
        [dark.accent, "#14171a"],
        [dark.accent, dark.tint],
        [dark.onAccent, dark.accent],
        [dark.onAccent, dark.strong],
      ] as const) {
        expect({ given, words, ground, reads: contrast(words, ground) >= contrastMin }).toMatchObject({ reads: true });
      }
    }),
    { numRuns: 300 },
  );
});

test("a colour too light to read is answered with a readable one of the same hue", () => {
  expect(readableInstead("#0a5f73")).toBeNull();
  expect(readableInstead("#f5a623")).toBe("#936415");
  expect(["#0a5f73", "#0A5F73", "0a5f73", "#abc", "blue", ""].map(isColour)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
