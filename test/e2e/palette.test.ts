/** The palette by keyboard alone, and the drawer with the same by command or curl, in a real browser. */
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
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0", timeZone: "Asia/Tehran" }));
  for (const name of ["Mehr Clinics", "Mehregan School"]) await server.api("POST /accounts", { name });
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
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

test("the drawer follows what is typed: of a change what differs, of a send every recipient and the time", async () => {
  const owner = await comeIn(server, browser, { role: "owner", name: "omid" });
  await owner.page.goto(`${server.consoleUrl}/accounts/acc_2/settings`);
  await owner.page.keyboard.press("Period");
  const written = owner.page.locator("[data-same]");
  expect(await written.nth(1).textContent()).toBe("peyk account set acc_2");
  await owner.page.locator("[name=name]").fill("Mehregan High School");
  await owner.page.evaluate('for (const fold of document.querySelectorAll("main details")) fold.open = true');
  await owner.page.locator("[name=retentionDays]").fill("۳۰");
  expect(await written.allTextContents()).toEqual([
    "peyk account update acc_2 --name 'Mehregan High School'",
    "peyk account set acc_2 --keep-days 30",
    "peyk quota set acc_2",
  ]);
  await owner.page.goto(`${server.consoleUrl}/accounts/acc_2/balance`);
  await owner.page.keyboard.press("Period");
  await owner.page.locator("[name=amount]").fill("۱٬۰۰۰");
  await owner.page.locator("[name=note]").fill("it's paid");
  const reference = await owner.page.locator("[name=reference]").inputValue();
  expect((await written.nth(2).textContent())?.split(" \\\n  ")).toEqual([
    "peyk account correct acc_2",
    "--amount 1000",
    "--note 'it'\\''s paid'",
    `--reference ${reference}`,
  ]);
  const { page, complaints } = await comeIn(server, browser, { role: "customer", name: "clinic" });
  await page.goto(`${server.portalUrl}/send`);
  await page.keyboard.press("Period");
  await page.locator("[name=recipients]").fill("09121234567\n09121234568");
  await page.locator("[name=text]").fill("سلام");
  const curl = page.locator("[data-same]");
  const key = await page.locator("[name=key]").inputValue();
  expect(await curl.textContent()).toContain(
    `/v1/messages/batch" \\\n  -H "X-API-Key: $SMS_KEY" \\\n  -H "Idempotency-Key: ${key}"`,
  );
  expect((await curl.textContent())?.match(/"recipient": "0912/g)).toHaveLength(2);
  await page.locator("[name=when]").fill("2030-01-01 08:00");
  await page.locator("[data-same]", { hasText: '"sendAt": "2030-01-01T04:30:00.000Z"' }).waitFor();
  expect((await curl.textContent())?.match(/v1\/messages\/scheduled/g)).toHaveLength(2);
  expect(await axe()(page)).toEqual([]);
  expect([...complaints, ...owner.complaints]).toEqual([]);
});

test("by keyboard alone a campaign is found, opened and stopped", async () => {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const sent = { account: "acc_1", sender: "30001234", message: "Spring sale", idempotencyKey: "spring", sendAt };
  await server.api("POST /messages", { ...sent, recipients: ["09121234567", "09121234568"] });
  const { page, complaints } = await comeIn(server, browser, { role: "operator", name: "nima" });
  const focused = 'document.activeElement?.closest("a, button, summary")?.textContent ?? ""';
  /** As a person does who sees where the focus is. */
  async function tabTo(words: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if (String(await page.evaluate(focused)).includes(words)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`No way by Tab to ${words}`);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("campaigns");
  await page.locator('[aria-selected="true"]', { hasText: "Campaigns" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/campaigns");
  await tabTo("Spring sale");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/campaigns/camp_1");
  await tabTo("Stop");
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  await tabTo("Stop");
  await page.keyboard.press("Enter");
  await page.locator(".notice.tint-ok").waitFor();
  expect(complaints).toEqual([]);
});
