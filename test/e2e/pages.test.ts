/** Every page in a real browser: readable by everyone, nothing refused by its own policy, nothing wider than a phone. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { pageVersion } from "../../src/console/assets/assets.ts";
import { openBrowser } from "../support/browser.ts";
import { axeSource, type UsualVisit, usualVisits, visitAll } from "../support/page-visits.ts";
import { PassedPages, writePassed } from "../support/passed-pages.ts";
import { browserAt } from "../support/programs.ts";
import { RepeatedRandom } from "../support/repeatable-pages.ts";
import { type SeededConsole, type ShownPage, startSeededConsole } from "../support/seeded-console.ts";
import { describeWith } from "../support/wants.ts";

const pageMs = 60_000;

const nameOf = ({ language }: UsualVisit, { name }: ShownPage) => `${language} ${name}`;
const sourceOf = (path: string) => readFileSync(join(import.meta.dir, "../support", path), "utf8");

describeWith("chromium")("every page in a browser", () => {
  let browser: Browser;
  let consoles: Readonly<Record<"full" | "empty", SeededConsole>>;
  let passed: PassedPages;
  /** Those that have not passed as they are now. */
  const unknown = new Map<UsualVisit, ShownPage[]>();
  const done = new Set<UsualVisit>();

  const consoleOf = ({ isEmpty }: UsualVisit) => consoles[isEmpty ? "empty" : "full"];

  beforeAll(async () => {
    consoles = {
      full: await startSeededConsole({ random: new RepeatedRandom() }),
      empty: await startSeededConsole({ random: new RepeatedRandom(), isEmpty: true }),
    };
    browser = await openBrowser();
    const browserName = basename(browserAt() ?? "");
    const checks = ["page-visits.ts", "browser.ts"].map(sourceOf);
    passed = new PassedPages([pageVersion(), browserName, browser.version(), axeSource, ...checks]);
    // Before any visit, which may change what pages show.
    for (const visit of usualVisits) {
      const console = consoleOf(visit);
      await console.speak(visit);
      const left: ShownPage[] = [];
      for (const page of console.pages) {
        const answer = await console.answer(page);
        if (!passed.knows(nameOf(visit, page), answer)) left.push(page);
      }
      unknown.set(visit, left);
    }
  }, pageMs * 10);
  afterAll(async () => {
    if (process.env.TEST_PASS_PAGES === "1" && done.size === usualVisits.length) writePassed(passed.all());
    await browser.close();
    await consoles.full.stop();
    await consoles.empty.stop();
  });

  for (const visit of usualVisits) {
    const which = `${visit.isEmpty ? "without anything to show" : "with some of everything"}: ${visit.language}`;
    test(
      `every page is readable, fits every screen, and causes no browser error, ${which}`,
      async () => {
        const pages = unknown.get(visit) ?? [];
        for (const page of pages) console.log(`visits ${nameOf(visit, page)}: ${passed.hashOf(nameOf(visit, page))}`);
        expect(await visitAll({ browser, console: { ...consoleOf(visit), pages }, ...visit }, visit.checks)).toEqual(
          [],
        );
        done.add(visit);
      },
      pageMs * 10,
    );
  }
});
