/** A field among hundreds of choices, in a real browser: what one types is searched, and offered by the browser's own list. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { comeIn, journeyMs } from "../support/console-browser.ts";
import { crowdFolder } from "../support/crowded-folder.ts";
import { axe } from "../support/page-visits.ts";

let browser: Browser;
let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole();
  await server.restart(() => crowdFolder(server.folder, { accounts: 300, areLimited: false }));
  browser = await openBrowser();
}, journeyMs);
afterAll(async () => {
  await browser.close();
  await server.stop();
});

test(
  "an account among three hundred is found by a word of its name, and taken by its id",
  async () => {
    const { page, complaints } = await comeIn(server, browser, { role: "owner", name: "olga" });
    await page.goto(`${server.consoleUrl}/inbound/lines`);
    await page
      .getByLabel(/number/i)
      .first()
      .fill("50001234");
    const field = page.locator("input[name=account]");
    await field.focus();
    await page.keyboard.type("clinic 29");
    const offered = page.locator("#field-account-choices option");
    await offered.filter({ hasText: "Clinic 297" }).waitFor({ state: "attached" });
    expect(await offered.count()).toBe(11);
    // A screen reader is told by the browser that the field has a list.
    expect(await field.evaluate((input: HTMLInputElement) => input.list?.options.length)).toBe(11);
    expect(await axe()(page)).toEqual([]);
    await field.fill(
      await offered
        .filter({ hasText: "Clinic 297" })
        .first()
        .evaluate((one: HTMLOptionElement) => one.value),
    );
    await page.keyboard.press("Enter");
    await page.getByText("Clinic 297").first().waitFor();
    expect((await server.api("GET /lines", {})).rows).toMatchObject([{ number: "50001234", account: "acc_297" }]);
    expect(complaints).toEqual([]);
  },
  journeyMs,
);
