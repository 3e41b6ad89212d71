/** The palette by keyboard alone, in a real browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { comeIn, journeyMs } from "../support/console-browser.ts";
import { axe } from "../support/page-visits.ts";

setDefaultTimeout(journeyMs);
let server: ConsoleProcess;
let browser: Browser;
beforeAll(async () => {
  server = await startConsole();
  for (const name of ["Mehr Clinics", "Mehregan School"]) await server.api("POST /accounts", { name });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

test("opens above any page, asks once per pause, and goes where the arrows point", async () => {
  const { page, complaints } = await comeIn(server, browser, { role: "owner", name: "leila" });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/search") asked.push(searchParams.get("q") ?? "");
  });
  await page.goto(`${server.consoleUrl}/accounts`);
  await page.keyboard.press("Slash");
  const field = page.getByRole("combobox", { name: "Search or do" });
  await page.locator('[role="option"]', { hasText: "Now" }).waitFor();
  await page.keyboard.type("mehr");
  await page.locator('[role="option"]', { hasText: "Mehregan School" }).waitFor();
  // What was typed within a pause is asked for at once.
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(asked.at(-1)).toBe("mehr");
  expect(await field.getAttribute("aria-activedescendant")).toBe("option-1");
  await page.keyboard.press("ArrowDown");
  expect(await page.locator('[aria-selected="true"]').textContent()).toContain("Mehregan School");
  expect(await page.locator("#palette-count").textContent()).toMatch(/^\d found$/);
  expect(await axe()(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/accounts/acc_2");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("suspend");
  await page.locator('[aria-selected="true"]', { hasText: "Suspend Mehregan School" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Suspend Mehregan School?" }).waitFor();
  expect(complaints).toEqual([]);
});

test("without script it is a link to a page with the same search", async () => {
  const { page } = await comeIn(server, browser, {
    role: "owner",
    name: "sara",
    options: { javaScriptEnabled: false },
  });
  await page.getByRole("link", { name: "Search or do" }).first().click();
  await page.locator("main #search").fill("mehregan");
  await page.keyboard.press("Enter");
  await page.locator("main").getByRole("link", { name: "Mehregan School" }).first().click();
  await page.waitForURL("**/accounts/acc_2");
});
