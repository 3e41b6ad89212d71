/** What the pages do in a real browser. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Language } from "../../src/console/language.ts";
import { pageHeaders } from "../../src/console/security.ts";
import { openBrowser } from "../support/browser.ts";
import { complaintsOf, contextOf } from "../support/page-visits.ts";
import { type SeededConsole, startSeededConsole } from "../support/seeded-console.ts";
import { describeWith } from "../support/wants.ts";

const pageMs = 60_000;

describeWith("chromium")("the pages in a browser", () => {
  let browser: Browser;
  let full: SeededConsole;
  beforeAll(async () => {
    full = await startSeededConsole();
    browser = await openBrowser();
  }, pageMs);
  afterAll(async () => {
    await browser.close();
    await full.stop();
  });

  /** A page of the owner's. `before` runs before it is requested. */
  async function shown(
    path: string,
    language: Language,
    options: BrowserContextOptions = {},
    before: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<Page> {
    await full.speak({ language });
    const { context, url } = await contextOf(browser, full, "owner", options);
    const page = await context.newPage();
    await before(page);
    await page.goto(url + path);
    return page;
  }

  /** As a chart of many steps is drawn: the seeded service has but a few hours to show. */
  const twoDrawings = (page: Page) =>
    page.route("**/reports?*", async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      const drawings = '<div class="chart-narrow">The last 7 days</div><div class="chart-wide">';
      await route.fulfill({ response, body: body.replace('<div class="chart-all">', drawings) });
    });

  /** Updates the chart, and sends one piece of the page. */
  async function streamOnce(page: Page): Promise<void> {
    const partial = (target: string, piece: string) =>
      `id: 1\ndata: <hx-partial hx-target="#${target}" hx-swap="innerMorph">${piece}</hx-partial>\n\n`;
    const chart = '<ul class="chart-legend"><li><span class="key-value">4,321</span></li></ul>';
    const body = partial("notices", '<p id="fresh">&lt;b&gt;fresh&lt;/b&gt;</p>') + partial("now-outcomes", chart);
    const headers = { ...pageHeaders(), "Content-Type": "text/event-stream" };
    await page.route("**/now/live", (request) => request.fulfill({ headers, body }));
  }

  for (const width of [360, 1280])
    test(`open filters appear below the search, which keeps its place, with the one button: ${width} px`, async () => {
      const page = await shown("/messages", "fa", { viewport: { width, height: 740 } });
      const placeOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        if (box === null) throw new Error(`${selector} is not shown`);
        return box;
      };
      const button = page.locator("form.search button[type=submit]:visible");
      expect(await button.count()).toBe(1);
      const before = await placeOf("#search");
      await page.locator(".filters > summary").click();
      expect((await placeOf("#search")).y).toBe(before.y);
      const [search, panel] = [await placeOf("form.search"), await placeOf(".filters-panel")];
      expect(panel.width).toBeCloseTo(search.width, 0);
      expect(panel.y).toBeGreaterThan(before.y + before.height);
      expect(await button.count()).toBe(1);
      expect((await button.boundingBox())?.y).toBeGreaterThan(panel.y);
      await page.context().close();
    });

  test(
    "without JavaScript every link, form and table is there, and no control that needs scripts",
    async () => {
      const page = await shown("/messages", "fa", { javaScriptEnabled: false });
      expect(await page.locator(".row-link").count()).toBeGreaterThan(20);
      expect(await page.locator(".copy:visible").count()).toBe(0);
      await page.locator(".filters > summary").click();
      expect(await page.locator("select[name=status]").isVisible()).toBe(true);
      await page.goto(new URL("/reports?range=week", page.url()).href);
      expect(await page.locator(".chart-plot").first().isVisible()).toBe(true);
      await page.locator(".chart-table > summary").click();
      // What is drawn, as a table: from the first data, so that the count of moments depends on the time of day.
      const drawn = await page.locator(".chart-plot").first().locator(".chart-moment").count();
      expect(drawn).toBeGreaterThan(0);
      expect(await page.locator(".chart-table tbody tr").count()).toBe(drawn);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "text entered as HTML runs no script, and neither do attributes",
    async () => {
      const page = await shown("/", "en");
      const refused = await page.evaluate<string>(`(() => {
    try { document.body.innerHTML = "<img src=x onerror='window.ran = true'>"; return "taken"; }
    catch (reason) { return reason.name; }
  })()`);
      expect(refused).toBe("TypeError");
      expect(await page.evaluate("window.ran")).toBeUndefined();
      await page.context().close();
    },
    pageMs,
  );

  test(
    "charts are drawn with the language's digits",
    async () => {
      const page = await shown("/reports", "fa");
      await page.locator(".chart .chart-moment").first().waitFor();
      expect(await page.locator(".key-value").first().textContent()).toMatch(/^[۰-۹٬]+$/);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a bar under the pointer shows its day, each outcome with its share, and the total",
    async () => {
      const page = await shown("/reports?range=week", "en");
      await page.locator(".chart-moment").last().hover();
      const card = page.locator(".chart-card");
      await card.waitFor();
      const names = await card.locator(".chart-card-name").allTextContents();
      expect([names[0], names.includes("All")]).toEqual(["Delivered", true]);
      expect(await card.locator(".chart-card-share").first().textContent()).toMatch(/^\d+\.\d%$/);
      await page.locator("h1").hover();
      await card.waitFor({ state: "hidden" });
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a phone shows the drawing of a chart's last steps, and its page is no wider than the screen",
    async () => {
      const page = await shown("/reports?range=month", "en", { viewport: { width: 360, height: 740 } }, twoDrawings);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
      const shownOf = async () => [
        await page.locator(".chart-wide").first().isVisible(),
        await page.locator(".chart-narrow").first().isVisible(),
      ];
      expect(await shownOf()).toEqual([false, true]);
      await page.setViewportSize({ width: 1280, height: 740 });
      expect(await shownOf()).toEqual([true, false]);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "shortcut keys work by position: next row, open and search, but not while typing",
    async () => {
      const page = await shown("/messages", "fa");
      await page.keyboard.press("KeyJ");
      await page.keyboard.press("KeyJ");
      const focused = "document.activeElement.getAttribute('href')";
      const second = await page.locator(".row-link").nth(1).getAttribute("href");
      expect(await page.evaluate<string | null>(focused)).toBe(second);
      await page.keyboard.press("Slash");
      expect(await page.evaluate<string>("document.activeElement.id")).toBe("search");
      await page.keyboard.type("jk");
      expect(await page.locator("#search").inputValue()).toBe("jk");
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a text is counted while it is typed, without leaving the page",
    async () => {
      let complaints: string[] = [];
      const page = await shown("/send", "en", {}, async (page) => {
        complaints = complaintsOf(page);
      });
      await page.locator("#field-text").fill("Hello <b>you</b>");
      await page.locator("#count .figure-value").first().filter({ hasText: "16" }).waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a session that ended elsewhere is reported, and what was typed stays",
    async () => {
      const page = await shown("/send", "en");
      await page.context().clearCookies();
      await page.locator("#field-text").fill("signed out");
      await page.locator("[data-trouble=signedOut]").waitFor();
      expect(await page.locator("#field-text").inputValue()).toBe("signed out");
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a full disk is reported as such, a proxy without Peyk behind it is not, and what was typed stays",
    async () => {
      const page = await shown("/send", "en");
      /** Texts that are answered by a status only: our own, or a proxy's. */
      const refusals = new Map([
        [/disk full/, { status: 503, headers: pageHeaders() }],
        [/proxy without Peyk/, { status: 503 }],
      ]);
      await page.route("**/send/count", (request) => {
        const body = new URLSearchParams(request.request().postData() ?? "").toString().replaceAll("+", " ");
        const [, refusal] = [...refusals].find(([text]) => text.test(body)) ?? [];
        return refusal === undefined ? request.continue() : request.fulfill(refusal);
      });
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
      await page.context().close();
    },
    pageMs,
  );

  test(
    "an irreversible action is confirmed in a dialog that focuses the way out and returns the focus",
    async () => {
      let complaints: string[] = [];
      const page = await shown(`/messages/${full.codes[1]}`, "en", {}, async (page) => {
        complaints = complaintsOf(page);
      });
      const title = await page.title();
      const opener = page.locator("a[data-dialog]").last();
      await opener.click();
      await page.locator("dialog[open] #confirm").waitFor();
      expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Leave it");
      expect(await page.title()).toBe(title);
      await page.keyboard.press("Enter");
      await page.locator("#dialog:not([open])").waitFor({ state: "attached" });
      expect(await opener.evaluate<boolean, Element>((link) => link === document.activeElement)).toBe(true);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "a dialog with choices also focuses the link that leaves things as they are, so that a second Enter confirms nothing",
    async () => {
      const page = await shown("/accounts/acc_1", "en");
      await page.locator("a[data-dialog][href$='/revoke']").first().focus();
      await page.keyboard.press("Enter");
      await page.locator("dialog[open] #confirm input[type=checkbox]").waitFor();
      expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Keep it");
      await page.keyboard.press("Enter");
      await page.locator("#dialog:not([open])").waitFor({ state: "attached" });
      await page.context().close();
    },
    pageMs,
  );

  test(
    "the page's stream delivers markup and figures, and none of it is executed",
    async () => {
      let complaints: string[] = [];
      const page = await shown("/", "en", {}, (page) => {
        complaints = complaintsOf(page);
        return streamOnce(page);
      });
      await page.locator("#notices #fresh").waitFor();
      expect(await page.locator("#fresh").textContent()).toBe("<b>fresh</b>");
      await page.locator(".key-value").first().filter({ hasText: "4,321" }).waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    pageMs,
  );

  test(
    "copying copies the text unchanged",
    async () => {
      const page = await shown(`/messages/${full.codes[1]}`, "en", {
        permissions: ["clipboard-read", "clipboard-write"],
      });
      await page.locator(".copy[data-copy^=curl]:visible").first().click();
      await page.locator("#said").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(`curl ${full.url}/v1/messages/`);
      await page.context().close();
    },
    pageMs,
  );
});
