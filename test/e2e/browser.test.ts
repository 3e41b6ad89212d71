/** The pages in a real browser: readable by everyone, nothing refused by their own policy, nothing wider than a phone. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { type Gallery, startGallery } from "../console/gallery/server.tsx";
import { openBrowser } from "../support/browser.ts";
import { axe, complaintsOf, fits, isIn, type PageCheck, type Variant, visitAll } from "../support/gallery-visits.ts";
import { describeWith } from "../support/wants.ts";

const pageMs = 60_000;

describeWith("chromium")("the pages in a browser", () => {
  let browser: Browser;
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = startGallery({ live: true });
    browser = await openBrowser();
  }, pageMs);
  afterAll(async () => {
    await browser.close();
    await gallery.stop();
  });

  /** All rules of axe once; of the other languages and themes what can differ. `bun run test:pages` runs all rules on all. */
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
  const checksOf: Readonly<Record<Variant, readonly PageCheck[]>> = {
    "en/light": [axe(), isIn("en"), fits],
    "en/dark": [contrast],
    "fa/light": [words, isIn("fa"), fits],
    "fa/dark": [],
  };

  for (const variant of ["en/light", "en/dark", "fa/light", "fa/dark"] as const)
    test(
      `every page is readable, fits every screen, and the browser complains of nothing: ${variant}`,
      async () => expect(await visitAll({ browser, gallery, variant }, checksOf[variant])).toEqual([]),
      pageMs * 5,
    );

  for (const width of [360, 1280])
    test(`open filters stand under the search, which keeps its place: ${width} px`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 740 } });
      const page = await context.newPage();
      await page.goto(`${gallery.url}/fa/light/messages`);
      const placesOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        if (box === null) throw new Error(`${selector} is not shown`);
        return box;
      };
      const before = [await placesOf(".filters > summary"), await placesOf(".search > button")];
      await page.locator(".filters > summary").click();
      expect([await placesOf(".filters > summary"), await placesOf(".search > button")]).toEqual(before);
      const [search, panel] = [await placesOf("form.search"), await placesOf(".filters-panel")];
      expect(panel.width).toBeCloseTo(search.width, 0);
      expect(panel.y).toBeGreaterThan(Math.max(...before.map(({ y, height }) => y + height)));
      await context.close();
    });

  test(
    "without JavaScript every link, form and table is there, and nothing that would do nothing",
    async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${gallery.url}/fa/light/messages`);
      expect(await page.locator(".row-link").count()).toBeGreaterThan(20);
      expect(await page.locator(".copy:visible").count()).toBe(0);
      await page.locator(".filters > summary").click();
      expect(await page.locator("select[name=status]").isVisible()).toBe(true);
      await page.goto(`${gallery.url}/en/light/now`);
      expect(await page.locator(".chart-drawing").isVisible()).toBe(false);
      await page.locator(".chart-table > summary").click();
      expect(await page.locator(".chart-table tbody tr").count()).toBe(60);
      await context.close();
    },
    pageMs,
  );

  test(
    "text that was put in as HTML runs no script, and attributes run none either",
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gallery.url}/en/light/now`);
      const refused = await page.evaluate<string>(`(() => {
    try { document.body.innerHTML = "<img src=x onerror='window.ran = true'>"; return "taken"; }
    catch (reason) { return reason.name; }
  })()`);
      expect(refused).toBe("TypeError");
      expect(await page.evaluate("window.ran")).toBeUndefined();
      await page.close();
    },
    pageMs,
  );

  test(
    "charts are drawn, with the language's digits",
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gallery.url}/fa/dark/now`);
      await page.locator(".chart canvas").waitFor();
      expect(await page.locator(".key-value").first().textContent()).toMatch(/^[۰-۹٬]+$/);
      await page.close();
    },
    pageMs,
  );

  test(
    "a chart grows narrower with its place, and the page is not wider before it has",
    async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 740 } });
      // The chart is told of its new place when the test says so.
      await page.addInitScript(`window.ResizeObserver = class {
        constructor(tell) { window.tellOfPlace = tell; }
        observe() {}
      }`);
      await page.goto(`${gallery.url}/en/light/now`);
      await page.locator(".chart canvas").waitFor();
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
      const widthOf = (selector: string) =>
        page.evaluate<number>(`document.querySelector("${selector}").getBoundingClientRect().width`);
      expect(await widthOf(".chart canvas")).toBeGreaterThan(360);
      await page.evaluate("window.tellOfPlace()");
      expect(await widthOf(".chart canvas")).toBe(await widthOf(".chart-drawing"));
      await page.close();
    },
    pageMs,
  );

  test(
    "keys work by their place: a row down and open, the search, and not while one types",
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gallery.url}/fa/light/messages`);
      await page.keyboard.press("KeyJ");
      await page.keyboard.press("KeyJ");
      const focused = "document.activeElement.getAttribute('href')";
      const second = await page.locator(".row-link").nth(1).getAttribute("href");
      expect(await page.evaluate<string | null>(focused)).toBe(second);
      await page.keyboard.press("Slash");
      expect(await page.evaluate<string>("document.activeElement.id")).toBe("search");
      await page.keyboard.type("jk");
      expect(await page.locator("#search").inputValue()).toBe("jk");
      await page.close();
    },
    pageMs,
  );

  test(
    "a text is counted while it is typed, without leaving the page",
    async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${gallery.url}/en/light/send`);
      await page.locator("#field-text").fill("Hello <b>you</b>");
      await page.locator("#count .figure-value").first().filter({ hasText: "16" }).waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
    pageMs,
  );

  test(
    "a session that ended elsewhere is said, and what was typed stays",
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gallery.url}/en/light/send`);
      await page.locator("#field-text").fill("signed out");
      await page.locator("[data-trouble=signedOut]").waitFor();
      expect(await page.locator("#field-text").inputValue()).toBe("signed out");
      await page.close();
    },
    pageMs,
  );

  test(
    "a full disk is told as such, a proxy that finds no Peyk is not, and what was typed stays",
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gallery.url}/en/light/send`);
      const text = page.locator("#field-text");
      const told = page.locator(".trouble:visible");
      await text.fill("disk full");
      await told.filter({ hasText: "The disk of the service is full" }).waitFor();
      expect(await text.inputValue()).toBe("disk full");
      await text.fill("hello");
      await told.first().waitFor({ state: "hidden" });
      await text.fill("proxy without Peyk");
      await told.filter({ hasText: "Nothing was changed" }).waitFor();
      expect(await told.count()).toBe(1);
      await page.close();
    },
    pageMs,
  );

  test(
    "what cannot be undone is asked in a dialog that focuses the way back and returns the focus",
    async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${gallery.url}/en/light/message`);
      const title = await page.title();
      const opener = page.locator("a[data-dialog]").last();
      await opener.click();
      await page.locator("dialog[open] #confirm").waitFor();
      expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Keep it");
      expect(await page.title()).toBe(title);
      await page.keyboard.press("Enter");
      await page.locator("dialog:not([open])").waitFor({ state: "attached" });
      expect(await opener.evaluate<boolean, Element>((link) => link === document.activeElement)).toBe(true);
      expect(complaints).toEqual([]);
      await page.close();
    },
    pageMs,
  );

  test(
    "the page's stream brings pieces and figures, and nothing of it is run",
    async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${gallery.url}/en/light/now`);
      await page.locator("#notices #fresh").waitFor();
      expect(await page.locator("#fresh").textContent()).toBe("<b>fresh</b>");
      await page.locator(".key-value").first().filter({ hasText: "4,321" }).waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
    pageMs,
  );

  test(
    "a figure that comes before the page's fonts is drawn with them",
    async () => {
      const page = await browser.newPage();
      const { promise: told, resolve: tell } = Promise.withResolvers<void>();
      await page.route("**/*.woff2", async (font) => {
        await told;
        await font.continue();
      });
      await page.goto(`${gallery.url}/en/light/now`, { waitUntil: "domcontentloaded" });
      await page.locator("#notices #fresh").waitFor();
      tell();
      await page.locator(".key-value").first().filter({ hasText: "4,321" }).waitFor();
      await page.close();
    },
    pageMs,
  );

  test(
    "copying takes the text as it is",
    async () => {
      const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
      const page = await context.newPage();
      await page.goto(`${gallery.url}/en/light/message`);
      await page.locator(".copy").first().click();
      await page.locator("#said").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(
        "curl http://127.0.0.1:8080/v1/messages/",
      );
      await context.close();
    },
    pageMs,
  );
});
