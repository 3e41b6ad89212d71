/**
 * All rules of axe on every page in both languages and themes: `bun run test:pages`. The suite runs only those whose
 * result may differ (test/e2e/browser.test.ts).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { axe, isIn, visitAll } from "../support/page-visits.ts";
import { type SeededConsole, startSeededConsole } from "../support/seeded-console.ts";
import { describeWith } from "../support/wants.ts";

const visitMs = 300_000;

describeWith("chromium")("every page", () => {
  let browser: Browser;
  const consoles: SeededConsole[] = [];
  beforeAll(async () => {
    for (const isEmpty of [false, true]) consoles.push(await startSeededConsole({ isEmpty }));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    for (const one of consoles) await one.stop();
  });

  for (const language of ["en", "fa"] as const)
    for (const theme of ["light", "dark"] as const)
      test(
        `passes axe: ${language}/${theme}`,
        async () => {
          for (const console of consoles) {
            expect(await visitAll({ browser, console, language, theme }, [axe(), isIn(language)])).toEqual([]);
          }
        },
        visitMs,
      );
});
