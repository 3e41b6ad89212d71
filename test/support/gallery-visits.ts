/** Visits every page of the gallery in a real browser, several at once, and tells what is wrong with each. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import type { Language } from "../../src/console/language.ts";
import { galleryPages } from "../console/gallery/pages.tsx";
import type { Gallery } from "../console/gallery/server.tsx";

export type Variant = `${Language}/${"light" | "dark"}`;

/** What is wrong with the page that is shown. */
export type PageCheck = (page: Page) => Promise<string[]>;

const names = Object.keys(galleryPages);
const pagesAtOnce = 3;
const axeSource = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const viewport = { width: 1280, height: 800 };

/** What the browser complains of, the Content-Security-Policy's refusals among it. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/** What the checks find on each page of the variant, and what the browser complains of meanwhile. */
export async function visitAll(
  { browser, gallery, variant }: { browser: Browser; gallery: Gallery; variant: Variant },
  checks: readonly PageCheck[],
): Promise<string[]> {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const found: string[] = [];
  const left = names.toReversed();
  const visitSome = async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      await page.goto(`${gallery.url}/${variant}/${name}`);
      const problems: string[] = [];
      for (const check of checks) problems.push(...(await check(page)));
      found.push(...[...problems, ...complaints.splice(0)].map((problem) => `${name}: ${problem}`));
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, visitSome));
  await context.close();
  return found;
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** All rules of axe that are on by default, or those that are named. */
export const axe =
  (rules?: readonly string[]): PageCheck =>
  async (page) => {
    const options = { resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  };

/** No wider than a phone of 360 px, a tablet, or a small screen. */
export const fits: PageCheck = async (page) => {
  const wide: string[] = [];
  for (const width of [360, 768, 1024]) {
    await page.setViewportSize({ width, height: 740 });
    const [shown, needed] = await page.evaluate<[number, number]>(
      "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
    );
    if (needed > shown) wide.push(`${needed} px wide on a screen of ${shown}`);
  }
  await page.setViewportSize(viewport);
  return wide;
};

export const isIn =
  (language: Language): PageCheck =>
  async (page) => {
    const { lang, dir } = await page.evaluate<{ lang: string; dir: string }>(
      "({ lang: document.documentElement.lang, dir: getComputedStyle(document.body).direction })",
    );
    const wanted = { lang: language, dir: language === "fa" ? "rtl" : "ltr" };
    return Bun.deepEquals({ lang, dir }, wanted) ? [] : [`is ${lang} from ${dir}`];
  };
