import { expect, test } from "bun:test";
import { lastErrorOf, troubleOf } from "../../src/providers/provider.ts";

const link = (name: string, reason: Parameters<typeof lastErrorOf>[0]) => ({
  name,
  state: "any",
  since: 0,
  ...lastErrorOf(reason),
});
const links = [link("1", null), link("2", { code: "connection_failed", words: "refused" })];

test("a route that is down shows the reason of its first link that has one", () => {
  expect(troubleOf({ up: false, links })?.name).toBe("2");
  expect(troubleOf({ up: false, links: links.slice(0, 1) })).toBeNull();
});

test("a route that is up shows no earlier error", () => {
  expect(troubleOf({ up: true, links })).toBeNull();
});
