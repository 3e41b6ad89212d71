/** All rules of axe on every page in both languages and themes: `bun run test:pages`. The suite runs what can differ (test/e2e/browser.test.ts). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { type Gallery, startGallery } from "../console/gallery/server.tsx";
import { openBrowser } from "../support/browser.ts";
import { axe, isIn, visitAll } from "../support/gallery-visits.ts";
import { describeWith } from "../support/wants.ts";

const visitMs = 300_000;

describeWith("chromium")("every page", () => {
  let browser: Browser;
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = startGallery({ live: true });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await gallery.stop();
  });

  for (const language of ["en", "fa"] as const)
    for (const theme of ["light", "dark"] as const)
      test(
        `passes axe: ${language}/${theme}`,
        async () => {
          const visit = { browser, gallery, variant: `${language}/${theme}` } as const;
          expect(await visitAll(visit, [axe(), isIn(language)])).toEqual([]);
        },
        visitMs,
      );
});
