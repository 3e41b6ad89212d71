/** No page says anything in English to who reads Persian. */
import { expect, test } from "bun:test";
import { renderDocument } from "../../src/console/html.tsx";
import { latinTexts } from "../support/latin-texts.ts";
import { galleryPage, galleryPages } from "./gallery/pages.tsx";

test("an English sentence in a page is found, data is not", async () => {
  const page =
    "<p>پیام <bdi>From the bank of</bdi> رسید</p><code>peyk route test a</code><p>It must be <b>text</b></p>" +
    '<p>\u2068Paid by the bank\u2069 بود</p><button aria-label="Close this page">×</button>';
  expect(await latinTexts(page)).toEqual(["It must be", "Close this page"]);
});

for (const name of Object.keys(galleryPages)) {
  test(`the page ${name} says nothing in English to who reads Persian`, async () => {
    const found = galleryPage(name, "fa", "light");
    if (found === null) throw new Error(`There is no page ${name}`);
    expect(await latinTexts(renderDocument(found.locale, found.page, () => "one"))).toEqual([]);
  });
}
