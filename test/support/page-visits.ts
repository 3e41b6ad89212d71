/** Visits every page of a seeded console in a real browser, several at once, and reports what is wrong with each. */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import type { Language } from "../../src/console/language.ts";
import type { Look, Reader, SeededConsole, ShownPage } from "./seeded-console.ts";

/** Reports what is wrong with the current page. */
export type PageCheck = (page: Page) => Promise<string[]>;

const pagesAtOnce = 3;
export const axeSource = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const viewport = { width: 1280, height: 800 };

/**
 * The browser's complaints, including violations of the Content-Security-Policy, but not that a page's own status is an
 * error.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isOwnStatus = message.text().startsWith("Failed to load") && message.location().url === page.url();
    if (["error", "warning"].includes(message.type()) && !isOwnStatus) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/** A browser with the reader's session. */
export async function contextOf(
  browser: Browser,
  { clients }: Pick<SeededConsole, "clients">,
  reader: Reader,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; url: string }> {
  const { url, cookies } = clients[reader];
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  return { context, url };
}

/** Opens the page, or submits its form as its own page does. */
export async function open(page: Page, url: string, { path, form }: ShownPage): Promise<void> {
  if (form === undefined) {
    await page.goto(url + path);
    return;
  }
  await page.goto(`${url}/keyboard`);
  const send = `(() => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: ${JSON.stringify(path)} });
    for (const [name, value] of Object.entries(${JSON.stringify(form)}))
      form.append(Object.assign(document.createElement("textarea"), { name, value }));
    document.body.append(form);
    form.submit();
  })()`;
  await Promise.all([page.waitForNavigation(), page.evaluate(send)]);
}

export interface Visits extends Look {
  browser: Browser;
  console: SeededConsole;
}

/** What the checks find on each page in the language and theme, and the browser's complaints meanwhile. */
export async function visitAll(
  { browser, console, language, theme }: Visits,
  checks: readonly PageCheck[],
): Promise<string[]> {
  await console.speak({ language, ...(theme !== undefined && { theme }) });
  const found: string[] = [];
  for (const [reader, pages] of Map.groupBy(console.pages, (page) => page.reader)) {
    const { context, url } = await contextOf(browser, console, reader);
    const left = pages.toReversed();
    const visitSome = async () => {
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      for (let one = left.pop(); one !== undefined; one = left.pop()) {
        await open(page, url, one);
        const problems: string[] = [];
        for (const check of checks) problems.push(...(await check(page)));
        const { name } = one;
        found.push(...[...problems, ...complaints.splice(0)].map((problem) => `${name}: ${problem}`));
      }
    };
    await Promise.all(Array.from({ length: pagesAtOnce }, visitSome));
    await context.close();
  }
  return found;
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** All axe rules that are on by default, or the named ones. */
export const axe =
  (rules?: readonly string[]): PageCheck =>
  async (page) => {
    const options = { resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
    const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  };

/** The check on a page in the theme "system", as on a computer with dark colours. */
export const inTheDark =
  (check: PageCheck): PageCheck =>
  async (page) => {
    await page.emulateMedia({ colorScheme: "dark" });
    // The ground of what is fresh keeps the colour with which its two seconds began.
    await page.evaluate("for (const one of document.getAnimations()) one.finish()");
    const found = await check(page);
    await page.emulateMedia({ colorScheme: "light" });
    return found.map((problem) => `in the dark: ${problem}`);
  };

/** Of each page that was resized. */
const sessions = new WeakMap<Page, CDPSession>();

/** Takes a quarter less processor time than `setViewportSize`: measured 0.09 s a page for four, instead of 0.12. */
async function resize(page: Page, { width, height }: typeof viewport): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const size = { width, height, screenWidth: width, screenHeight: height, deviceScaleFactor: 1, mobile: false };
  await session.send("Emulation.setDeviceMetricsOverride", size);
}

/** Not wider than a 360 px phone, a tablet, or a small screen. */
export const fits: PageCheck = async (page) => {
  const wide: string[] = [];
  for (const width of [360, 768, 1024]) {
    await resize(page, { width, height: 740 });
    const [shown, needed] = await page.evaluate<[number, number]>(
      "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
    );
    if (shown !== width) wide.push(`${shown} px of ${width} are shown`);
    if (needed > shown) wide.push(`${needed} px wide on a screen of ${shown}`);
  }
  await resize(page, viewport);
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

const contrast = axe(["color-contrast", "link-in-text-block"]);
const words = axe([
  "button-name",
  "document-title",
  "html-has-lang",
  "html-lang-valid",
  "label",
  "link-name",
  "valid-lang",
]);

/** One look at every page of a console, and what is checked then. */
export interface UsualVisit extends Look {
  isEmpty: boolean;
  checks: readonly PageCheck[];
}

// All rules of axe in English; in the dark and in Persian only those that may differ. `bun run test:pages` runs all on all.
const english = [axe(), isIn("en"), fits];
const persian = [words, isIn("fa"), fits];
export const usualVisits: readonly UsualVisit[] = [
  { language: "en", theme: "system", isEmpty: false, checks: [...english, inTheDark(contrast)] },
  { language: "en", theme: "system", isEmpty: true, checks: english },
  { language: "fa", theme: "dark", isEmpty: false, checks: persian },
  { language: "fa", theme: "dark", isEmpty: true, checks: persian },
];
