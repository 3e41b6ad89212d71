/**
 * Different people at the console, in a real browser: two at once, a reader of Persian, one without a mouse, one
 * without scripts.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, goodPassword, startConsole } from "../support/console.ts";
import { comeIn, journeyMs, type Visitor } from "../support/console-browser.ts";
import { addAccounts, reaches, sendMessage } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";
import { describeWith } from "../support/wants.ts";

/** Sentences of the program: English words that are not a name, number, address, code or somebody's text. */
const englishSentences = `(() => {
  const foreign = "code, pre, kbd, bdi, textarea, option, .foreign, [dir=auto], [dir=ltr], script, style";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { parentElement } = walker.currentNode;
    // Names and commands within a sentence are isolated from it.
    const textContent = walker.currentNode.textContent.replaceAll(/\\u2068[^\\u2069]*\\u2069/g, "");
    const isOurs = parentElement.closest("[lang=en]") !== null || parentElement.closest(foreign) === null;
    if (isOurs && /[A-Za-z]{2,}[ ,.]+[A-Za-z ]*[A-Za-z]{2,}/.test(textContent)) found.push(textContent.trim());
  }
  return found;
})()`;

/** Where nothing moves, no element has a transition or an animation. */
const movingElements = `[...document.querySelectorAll("*")].filter((one) => {
  const { transitionDuration, animationName } = getComputedStyle(one);
  return animationName !== "none" || transitionDuration.split(", ").some((time) => time !== "0s");
}).length`;

/** Pages of an operator's day in their initial state. */
const everydayPages = [
  ...["/", "/messages", "/send", "/inbound", "/accounts", "/accounts/acc_1", "/accounts/acc_1/settings", "/groups"],
  ...["/patterns", "/approvals", "/routes", "/routes/simulator", "/plans", "/callbacks", "/reports?range=week&by=day"],
  ...["/suppression", "/prices", "/alerts", "/users", "/audit", "/system", "/settings", "/keyboard"],
];

describeWith("chromium")("the console in a browser", () => {
  let server: ConsoleProcess;
  let browser: Browser;
  beforeAll(async () => {
    server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
    await addAccounts(server);
    browser = await openBrowser();
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const comesIn = (visitor: Visitor) => comeIn(server, browser, visitor);
  const save = (page: Page) => page.locator("main .button-primary").click();

  test(
    "two people at one message's page see it end without touching it, and what one unfolded stays so",
    async () => {
      await server.api("POST /routes/:name/disable", { name: "simulator" });
      const code = await sendMessage(server, { recipient: "09123454321" });
      const readers = await Promise.all([
        comesIn({ role: "support", name: "lena" }),
        comesIn({ role: "owner", name: "oman", options: { locale: "fa-IR" } }),
      ]);
      await Promise.all(
        readers.map(async ({ page }) => {
          await page.goto(new URL(`/messages/${code}`, page.url()).href);
          await page.locator(".live-now").waitFor({ state: "visible" });
          await page.locator(".fold > summary").click();
        }),
      );
      const pills = () => Promise.all(readers.map(({ page }) => page.locator("h1 ~ * .pill").textContent()));
      expect(await pills()).toEqual(["Waiting", "در انتظار"]);
      await server.api("POST /routes/:name/enable", { name: "simulator" });
      await Promise.all(
        readers.map(({ page }) => page.locator(".live-ended").waitFor({ state: "visible", timeout: 20_000 })),
      );
      expect(await pills()).toEqual(["Delivered", "تحویل شد"]);
      for (const { page, complaints } of readers) {
        expect(await page.locator(".story").textContent()).toMatch(/Delivered|تحویل شد/);
        expect(await page.locator(".fold").first().getAttribute("open")).not.toBeNull();
        expect(complaints).toEqual([]);
        await page.context().close();
      }
    },
    journeyMs,
  );

  test(
    "a reader follows the list with t: new rows come on top with what becomes of them, but none moves under the pointer",
    async () => {
      const { page, complaints } = await comesIn({ role: "support", name: "tara" });
      const first = await sendMessage(server, { recipient: "09123454440" });
      await reaches(server, first, "delivered");
      await page.goto(new URL("/messages", page.url()).href);
      await page.keyboard.press("t");
      await page.locator("[data-following] .live-now").waitFor({ state: "visible" });
      const code = await sendMessage(server, { recipient: "09123454402" });
      const row = page.locator(`#fresh-rows #row-${code}`);
      await row.locator(".pill", { hasText: "Failed" }).waitFor({ timeout: 10_000 });
      expect(await page.locator("#pace").textContent()).toMatch(/^1 new in/);
      await page.locator(".records tbody .record").last().hover();
      const held = await sendMessage(server, { recipient: "09123454444" });
      await page.locator("[data-held]", { hasText: "+1" }).waitFor({ timeout: 10_000 });
      const heldPill = page.locator(`#row-${held} .pill`, { hasText: "Delivered" });
      await heldPill.waitFor({ state: "attached", timeout: 10_000 });
      expect(await page.locator(`#row-${held}`).isVisible()).toBe(false);
      await page.locator("h1").hover();
      await page.locator(`#row-${held}`).waitFor({ state: "visible" });
      await page.locator(".row-link").first().focus();
      await page.locator("[data-go-on]").waitFor({ state: "visible" });
      expect(await page.locator("[hx-sse\\:connect]").count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    journeyMs,
  );

  test(
    "two owners edit one account: one's change stays, a conflict is shown to the second, who loses nothing",
    async () => {
      const { data } = await replyOf(server.api("POST /accounts", { name: "Museum" }));
      const [first, second] = await Promise.all([
        comesIn({ role: "owner", name: "anna" }),
        comesIn({ role: "owner", name: "ben" }),
      ]);
      const settings = `${server.consoleUrl}/accounts/${data?.id}/settings`;
      await Promise.all([first.page.goto(settings), second.page.goto(settings)]);
      await first.page.locator("[name=name]").fill("City museum");
      await first.page.locator("[name=timeZone]").fill("Asia/Tehran");
      await save(first.page);
      await first.page.getByRole("heading", { name: "City museum" }).waitFor();
      await second.page.locator("[name=name]").fill("Museum of the city");
      await second.page.locator("[name=countries]").fill("IR");
      await save(second.page);
      await second.page.getByText("Somebody else has changed this in the meantime, to: City museum.").first().waitFor();
      expect(await second.page.locator("[name=name]").inputValue()).toBe("Museum of the city");
      expect(await second.page.locator("[name=countries]").inputValue()).toBe("IR");
      expect(await second.page.locator("[name=timeZone]").inputValue()).toBe("Asia/Tehran");
      await save(second.page);
      await second.page.getByRole("heading", { name: "Museum of the city" }).waitFor();
      const account = (await replyOf(server.api("GET /accounts/:id", { id: data?.id ?? "" }))).data;
      expect([account?.name, account?.countries, account?.timeZone]).toEqual([
        "Museum of the city",
        ["IR"],
        "Asia/Tehran",
      ]);
    },
    journeyMs,
  );

  test(
    "one owner ends another's session, who sees it on the open page and keeps what was typed",
    async () => {
      const [first, second] = await Promise.all([
        comesIn({ role: "owner", name: "cleo" }),
        comesIn({ role: "operator", name: "dan" }),
      ]);
      await second.page.goto(`${server.consoleUrl}/send`);
      await second.page.getByLabel("Text").fill("Not yet");
      await second.page.locator("#count .figure-value").first().waitFor();
      await first.page.goto(`${server.consoleUrl}/users`);
      await first.page.getByRole("row", { name: /^dan/ }).getByRole("link", { name: "Disable" }).click();
      await first.page.locator("dialog[open]").getByRole("button", { name: "Disable" }).click();
      await first.page.getByText("dan is disabled.").waitFor();
      await second.page.getByLabel("Text").fill("Not yet, but soon");
      await second.page.locator("[data-trouble=signedOut]").waitFor();
      expect(await second.page.getByLabel("Text").inputValue()).toBe("Not yet, but soon");
    },
    journeyMs,
  );

  test(
    "in Persian a message is found by Persian digits, explained, sent again, and reported by Jalali days",
    async () => {
      const failed = await sendMessage(server, { recipient: "09123450801" });
      await reaches(server, failed, "failed");
      const { page, complaints } = await comesIn({ role: "owner", name: "parisa", options: { locale: "fa" } });
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      const english: string[] = [];
      const look = async () => {
        for (const text of await page.evaluate<string[]>(englishSentences)) english.push(`${page.url()}: ${text}`);
      };
      await page.locator("#now").waitFor();
      await page.goto(`${server.consoleUrl}/messages`);
      await page.locator("#search").fill("۰۹۱۲۳۴۵۰۸۰۱");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "09123450801" }).click();
      expect(await page.locator(".lead").textContent()).toContain("شبکه نتوانست پیام را برساند.");
      await look();
      await page.getByRole("link", { name: "ارسال دوباره" }).click();
      await page.locator("dialog[open] button[type=submit]").last().click();
      await page.waitForURL((url) => url.pathname.startsWith("/messages/") && !url.pathname.endsWith(failed));
      await look();
      await page.goto(`${server.consoleUrl}/reports?range=week&by=day`);
      const month = new Intl.DateTimeFormat("fa-IR-u-ca-persian", { month: "long", timeZone: "UTC" });
      await page.locator("main").getByText(month.format(Date.now())).first().waitFor();
      for (const path of everydayPages) {
        await page.goto(server.consoleUrl + path);
        await look();
      }
      expect({ english, complaints }).toEqual({ english: [], complaints: [] });
      // A check that finds nothing here does find English where there is some.
      await page.locator(".menu-foot [lang=en]").click();
      await page.locator("html[lang=en]").waitFor();
      expect((await page.evaluate<string[]>(englishSentences)).length).toBeGreaterThan(0);
    },
    journeyMs,
  );

  test(
    "with the keyboard alone a user signs in, finds a message, opens it and sends it again",
    async () => {
      const failed = await sendMessage(server, { recipient: "09123450901" });
      await reaches(server, failed, "failed");
      const known = await comesIn({ role: "support", name: "kay" });
      await known.page.context().close();
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${server.consoleUrl}/sign-in`);
      const tabTo = async (selector: string) => {
        for (let steps = 0; steps < 60; steps += 1) {
          const at = `document.activeElement.matches(${JSON.stringify(selector)})`;
          if (await page.evaluate<boolean>(at)) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`The keyboard does not reach ${selector} on ${page.url()}`);
      };
      await tabTo("[name=user]");
      await page.keyboard.type("kay");
      await tabTo("[name=password]");
      await page.keyboard.type(goodPassword);
      await page.keyboard.press("Enter");
      await page.locator("#now").waitFor();
      await page.keyboard.press("g");
      await page.keyboard.press("m");
      await page.waitForURL(/\/messages$/);
      await page.keyboard.press("/");
      await page.keyboard.type("450901");
      await page.keyboard.press("Enter");
      await page.waitForURL(/q=450901/);
      await page.locator(".row-link").first().waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`/messages/${failed}`));
      await tabTo("a[data-dialog]");
      await page.keyboard.press("Enter");
      await page.locator("dialog[open] #confirm").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#dialog:not([open])").waitFor({ state: "attached" });
      // The focus has returned.
      expect(await page.evaluate<boolean>("document.activeElement.matches('a[data-dialog]')")).toBe(true);
      await page.keyboard.press("Enter");
      await page.locator("dialog[open] #confirm").waitFor();
      await tabTo("dialog button[type=submit]");
      await page.keyboard.press("Enter");
      await page.getByText("This is the new message.").waitFor();
    },
    journeyMs,
  );

  test(
    "without JavaScript an account, a sender, a key, a group, a route and a user are created with their forms",
    async () => {
      const { page } = await comesIn({ role: "owner", name: "nora", options: { javaScriptEnabled: false } });
      const filled = async (path: string, fields: Record<string, string>) => {
        await page.goto(server.consoleUrl + path);
        for (const [name, value] of Object.entries(fields)) await page.locator(`main [name=${name}]`).fill(value);
        await save(page);
      };
      await filled("/accounts/new", { name: "Theatre" });
      const account = new URL(page.url()).pathname;
      await filled(`${account}/senders/new`, { sender: "30009" });
      await page.getByText("30009").first().waitFor();
      await filled(`${account}/keys/new`, { name: "desk" });
      await page.locator(".show-once code").first().waitFor();
      await filled("/groups/new", { code: "fans", name: "Fans" });
      await filled("/routes/-new?carrier=simulator", { name: "second" });
      await page.waitForURL(/\/routes\/second$/);
      await page.goto(`${server.consoleUrl}/users`);
      await page.getByRole("link", { name: "Add a user" }).click();
      await page.locator("main [name=name]").fill("otto");
      await page.keyboard.press("Enter");
      await page.getByText("/setup/").first().waitFor();
      const { data } = await replyOf(server.api("GET /accounts/:id", { id: account.split("/").at(-1) ?? "" }));
      expect([data?.name, data?.senders.length, data?.keys.length]).toEqual(["Theatre", 1, 1]);
    },
    journeyMs,
  );

  test(
    "nothing moves, whatever users prefer, and no page is wider than a phone",
    async () => {
      const options = { reducedMotion: "no-preference", viewport: { width: 360, height: 740 } } as const;
      const { page } = await comesIn({ role: "owner", name: "sol", options });
      const wrong: string[] = [];
      for (const path of [...everydayPages, "/menu"]) {
        await page.goto(server.consoleUrl + path);
        const [shown = 0, needed = 0, moving = 0] = await page.evaluate<number[]>(
          `[document.documentElement.clientWidth, document.documentElement.scrollWidth, ${movingElements}]`,
        );
        if (needed > shown || moving > 0) wrong.push(`${path}: ${needed} of ${shown}, ${moving} move`);
      }
      expect(wrong).toEqual([]);
      await page.emulateMedia({ reducedMotion: "reduce" });
      expect(await page.evaluate<number>(movingElements)).toBe(0);
    },
    journeyMs,
  );
});
