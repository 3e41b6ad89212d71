/** From an empty service to a delivered text over a carrier of one's own, in a real browser, click by click. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, goodPassword, startConsole } from "../support/console.ts";
import { journeyMs } from "../support/console-browser.ts";
import { axe } from "../support/page-visits.ts";
import { Smsc } from "../support/smsc.ts";

setDefaultTimeout(journeyMs);
let server: ConsoleProcess;
let browser: Browser;
let smsc: Smsc;
beforeAll(async () => {
  smsc = await Smsc.start({ receipts: { when: "after" } });
  server = await startConsole();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await smsc.stop();
});

test("a newcomer reaches the first delivered text with fewer than 20 clicks, fields included", async () => {
  const { setup } = await server.api("POST /users/setup-link");
  const page = await (await browser.newContext()).newPage();
  const begunAt = performance.now();
  let clicks = 0;
  const click = async (selector: string) => {
    clicks += 1;
    await page.locator(selector).click();
  };
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(fields)) {
      await click(`main [name="${name}"]`);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    }
  };
  await page.goto(setup.url ?? "");
  await fill({ password: goodPassword, again: goodPassword });
  await click("main button.button-primary");
  await page.waitForURL("**/first/carrier");
  expect(await axe()(page)).toEqual([]);
  await fill({ host: "127.0.0.1", port: String(smsc.port), systemId: "peyk", password: "secret", name: "operator-a" });
  await click("[data-primary]");
  await page.waitForURL("**/first/account");
  expect(await page.locator("[name=route]").inputValue()).toBe("operator-a");
  expect(await page.locator("[name=route] option").count()).toBe(1);
  await fill({ name: "Mehr Clinics", sender: "30001234" });
  await click("[data-primary]");
  await page.waitForURL("**/first/key");
  await click("[data-primary]");
  await page.locator(".show-once").waitFor();
  expect(await axe()(page)).toEqual([]);
  await click(".show-once .button-primary");
  await page.waitForURL("**/first/text");
  await fill({ number: "09121234500" });
  await click("[data-primary]");
  await page.waitForURL("**/first/text/*");
  await page.locator(".tint-ok").waitFor();
  await click("main .button-primary");
  await page.waitForURL("**/first/done");
  expect(await axe()(page)).toEqual([]);
  expect(smsc.submits.length).toBeGreaterThanOrEqual(1);
  expect(clicks).toBeLessThan(20);
  process.stdout.write(`first run: ${clicks} clicks, ${Math.round(performance.now() - begunAt)} ms without reading\n`);
});

test("the same by the keyboard alone", async () => {
  const bare = await startConsole();
  const { setup } = await bare.api("POST /users/setup-link");
  const page = await (await browser.newContext()).newPage();
  const [begunAt, submitsBefore] = [performance.now(), smsc.submits.length];
  let [keys, typed] = [0, 0];
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  /** By Tab, as far as it takes. */
  const reach = async (selector: string) => {
    const isThere = () => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
    for (let left = 60; !(await isThere()); left -= 1) {
      if (left === 0) throw new Error(`Tab does not reach ${selector}`);
      await press("Tab");
    }
  };
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(fields)) {
      await reach(`main [name="${name}"]`);
      await press("Control+a");
      await page.keyboard.type(text);
      typed += text.length;
    }
  };
  await page.goto(setup.url ?? "");
  await fill({ password: goodPassword, again: goodPassword });
  await press("Enter");
  await page.waitForURL("**/first/carrier");
  await fill({ name: "operator-a", host: "127.0.0.1", port: String(smsc.port), systemId: "peyk", password: "secret" });
  await press("Control+Enter");
  await page.waitForURL("**/first/account");
  await fill({ name: "Mehr Clinics", sender: "30001234" });
  await press("Control+Enter");
  await page.waitForURL("**/first/key");
  await press("Control+Enter");
  await page.locator(".show-once").waitFor();
  await reach(".show-once .button-primary");
  await press("Enter");
  await page.waitForURL("**/first/text");
  await fill({ number: "09121234500" });
  await press("Control+Enter");
  await page.waitForURL("**/first/text/*");
  await page.locator(".tint-ok").waitFor();
  await reach("main .button-primary");
  await press("Enter");
  await page.waitForURL("**/first/done");
  expect(smsc.submits.length).toBeGreaterThan(submitsBefore);
  const ms = Math.round(performance.now() - begunAt);
  process.stdout.write(`first run by keyboard: ${keys} keys, ${typed} characters typed, ${ms} ms without reading\n`);
  await bare.stop();
});
