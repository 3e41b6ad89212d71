/** A browser is spared a page only if nothing that it would judge has changed. */
import { expect, test } from "bun:test";
import { PassedPages, pageHash } from "../support/passed-pages.ts";
import type { PageAnswer } from "../support/seeded-console.ts";

const answer = (html: string, more: Partial<PageAnswer> = {}): PageAnswer => ({
  status: 200,
  headers: new Headers({ "Content-Security-Policy": "default-src 'none'" }),
  html,
  ...more,
});
const page = '<link href="/assets/console-0123456789ab.css"><input name="form-number" value="1"><h1>Messages</h1>';
const judges = ["styles", "Chromium 150", "checks"];

function passed() {
  const pages = new PassedPages(judges, null);
  pages.knows("en messages", answer(page));
  return pages.all();
}

const isKnown = (changed: PageAnswer, { name = "en messages", by = judges } = {}) =>
  new PassedPages(by, passed()).knows(name, changed);

test("a page that passed is recognized whatever its form number and the name of its style sheet", () => {
  expect(isKnown(answer(page))).toBe(true);
  const again = page.replace('value="1"', 'value="2"').replace("0123456789ab", "ba9876543210");
  expect(isKnown(answer(again))).toBe(true);
});

test("a page with another text, attribute, status, header or name is not recognized", () => {
  expect(isKnown(answer(page.replace("Messages", "Message")))).toBe(false);
  expect(isKnown(answer(page.replace("<h1>", "<h1 class>")))).toBe(false);
  expect(isKnown(answer(page, { status: 404 }))).toBe(false);
  expect(isKnown(answer(page, { headers: new Headers({ "Content-Security-Policy": "" }) }))).toBe(false);
  expect(isKnown(answer(page, { headers: new Headers() }))).toBe(false);
  expect(isKnown(answer(page), { name: "fa messages" })).toBe(false);
});

test("no page is recognized with other styles, scripts, checks or another browser", () => {
  for (const index of judges.keys()) expect(isKnown(answer(page), { by: judges.with(index, "other") })).toBe(false);
});

test("the record lists the pages that were looked up, sorted by name", () => {
  const pages = new PassedPages(judges, null);
  for (const name of ["b", "a"]) pages.knows(name, answer(page));
  expect(Object.keys(pages.all().pages)).toEqual(["a", "b"]);
  expect(pages.all().pages.a).toBe(pageHash(answer(page)));
});
