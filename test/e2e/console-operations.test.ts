/** Larger tasks in the console, in a real browser: many members from a file, an SMSC that binds, a restart under an open page. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openDemoConsoleLink } from "../../src/cli/demo-console-link.ts";
import { pathWords } from "../../src/console/places/first/words.ts";
import { nowWords } from "../../src/console/places/now/words.ts";
import { carrierWords } from "../../src/console/places/routes/carrier-words.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { comeIn, journeyMs } from "../support/console-browser.ts";
import { addAccounts, reaches } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";
import { Smsc } from "../support/smsc.ts";
import { describeWith } from "../support/wants.ts";

describeWith("chromium")("the console in a browser", () => {
  let server: ConsoleProcess;
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, journeyMs);
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startConsole();
  }, journeyMs);
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await server.stop();
  });

  test(
    "50,000 members are imported with visible progress and approved, and some of them are sent a message",
    async () => {
      await addAccounts(server);
      const { page, complaints } = await comeIn(server, browser, { role: "operator", name: "olga" });
      await page.goto(`${server.consoleUrl}/groups/new`);
      await page.getByLabel("Code", { exact: true }).fill("spring");
      await page.getByLabel("Group", { exact: true }).fill("Spring");
      await page.locator("main .button-primary").click();
      const chosen = page.locator("input[type=file]");
      // As an old spreadsheet saves Persian names.
      const old = Buffer.from([...Buffer.from("mobile,firstName\n09121234567,"), 0xd3, 0xc7, 0xd1, 0xc7, 0x0a]);
      await chosen.setInputFiles({ name: "members.csv", mimeType: "text/csv", buffer: old });
      await page.getByRole("button", { name: "Import" }).click();
      await page
        .getByText(/not UTF-8/)
        .first()
        .waitFor();
      await page.goto(`${server.consoleUrl}/groups/spring?account=acc_1`);
      const numbers = Array.from({ length: 50_000 }, (_, index) => `0912${String(5_000_000 + index)}`);
      await chosen.setInputFiles({
        name: "members.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`mobile,firstName\n${numbers.map((number) => `${number},سارا`).join("\n")}\n`),
      });
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByText("First rows of members.csv").waitFor();
      await page.getByRole("button", { name: "Import", exact: true }).click();
      // The page follows the import automatically.
      await page.getByText("50,000 members are in the new list").waitFor({ timeout: journeyMs });
      await page.getByRole("link", { name: "To the group" }).click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("50,000").first().waitFor();
      await page.goto(`${server.consoleUrl}/send`);
      await page.getByLabel("Recipients").fill(numbers.slice(0, 3).join("\n"));
      await page.getByLabel("Text").fill("Spring sale");
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByRole("button", { name: "Send 3 messages" }).click();
      await page.getByText("3 messages are accepted.").waitFor();
      expect(complaints).toEqual([]);
    },
    journeyMs,
  );

  test(
    "in Persian, from a bare install to a message delivered over a carrier added with its form",
    async () => {
      const smsc = await Smsc.start({ receipts: { when: "after" } });
      try {
        const visit = { role: "owner", name: "oscar", options: { locale: "fa" } } as const;
        const { page, complaints } = await comeIn(server, browser, visit);
        const say = carrierWords.fa;
        const next = nowWords.fa.begin;
        // The first step of the first page.
        await page.getByRole("link", { name: next.carrierAction }).click();
        await page.locator("[name=host]").fill("127.0.0.1");
        await page.locator("[name=port]").fill(String(smsc.port));
        await page.locator("[name=systemId]").fill("peyk");
        await page.locator("[name=password]").fill("secret");
        await page.locator("[name=name]").fill("operator-a");
        await page.getByRole("button", { name: say.doTest }).click();
        await page.getByText(say.ready).waitFor();
        expect(await page.locator("[name=password]").inputValue()).toBe("secret");
        await page.getByRole("button", { name: pathWords.fa.carrier.save }).click();
        await page.waitForURL(/\/first\/account$/);
        // An account, and its sender on the new carrier.
        await page.goto(`${server.consoleUrl}/accounts/new`);
        await page.locator("[name=name]").fill("Clinic");
        await page.locator("main .button-primary").click();
        await page.waitForURL(/\/accounts\/acc_1$/);
        await page.locator(`a[href="/accounts/acc_1/senders/new"]`).click();
        await page.locator("[name=sender]").fill("30001234");
        await page.locator("[name=routes]").selectOption("operator-a");
        await page.locator("main .button-primary").click();
        await page.locator(".route-name", { hasText: "operator-a" }).waitFor();
        await page.goto(`${server.consoleUrl}/send`);
        await page.locator("[name=recipients]").fill("09123450700");
        await page.locator("[name=text]").fill("Over the air");
        await page.locator("main .button-primary").click();
        await page.waitForURL(/\/send\/review$/);
        await page.locator("main .button-primary").click();
        await page.waitForURL(/\/messages\/\w+$/);
        const code = page.url().split("/").at(-1) ?? "";
        await reaches(server, code, "delivered");
        expect(smsc.submits.map(({ text }) => text)).toEqual(["Over the air"]);
        await page.reload();
        await page.locator(".heading .tint-ok").waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await smsc.stop();
      }
    },
    journeyMs,
  );

  test(
    "a wrong password is found by the test beside the form and corrected there, and the route comes up",
    async () => {
      const smsc = await Smsc.start({ password: "right" });
      try {
        const options = { host: "127.0.0.1", port: smsc.port, systemId: "peyk", password: "wrong" };
        await server.api("POST /routes", { name: "operator-a", kind: "smpp", options });
        const visit = { role: "operator", name: "olga", options: { locale: "en" } } as const;
        const { page, complaints } = await comeIn(server, browser, visit);
        const say = carrierWords.en;
        await page.goto(`${server.consoleUrl}/routes/operator-a`);
        await page.locator('a[href="/routes/operator-a/change"]').click();
        await page.getByRole("button", { name: say.doTest }).click();
        // With the stored password, since none was typed.
        await page.getByText(say.refusedPassword).waitFor();
        await page.locator("[name=password]").fill("right");
        await page.getByRole("button", { name: say.doTest }).click();
        await page.getByText(say.ready).waitFor();
        await page.getByRole("button", { name: say.save }).click();
        await page.waitForURL(/\/routes\/operator-a$/);
        while (!(await page.locator(".heading .tint-ok").isVisible())) await page.reload();
        expect(complaints).toEqual([]);
      } finally {
        await smsc.stop();
      }
    },
    journeyMs,
  );

  test(
    "an open page reports that the server is away, keeps what is typed, and is current again after a restart",
    async () => {
      await addAccounts(server);
      const { page } = await comeIn(server, browser, { role: "owner", name: "oscar" });
      const form = await page.context().newPage();
      await form.clock.install();
      await form.goto(`${server.consoleUrl}/send`);
      await form.getByLabel("Text").fill("Half a text");
      await form.locator("#count .figure-value").first().waitFor();
      await page.bringToFront();
      await page.locator("#now-needs").waitFor();
      await page.waitForLoadState("load");
      await page.context().setOffline(true);
      await page.locator("[data-trouble=lost]").waitFor();
      await page.context().setOffline(false);
      await page.locator("[data-trouble=lost]").waitFor({ state: "hidden" });
      await server.restart(async () => {
        await page.locator("[data-trouble=lost]").waitFor();
        expect(await page.locator("[data-trouble=lost] [data-as-of]").textContent()).toMatch(/^\d\d:\d\d$/);
        // When the service is known to be down, a form waits with what was typed.
        await page.evaluate("document.querySelector('.preference[value=dark]').click()");
        await page.locator("#said").filter({ hasText: "Nothing answers" }).waitFor({ state: "attached" });
        expect(page.url()).toBe(`${server.consoleUrl}/`);
        expect(await page.evaluate("getComputedStyle(document.querySelector('.figures')).filter")).toBe("grayscale(1)");
        // On a page without a stream, a form that gets no answer keeps what was typed.
        await form.bringToFront();
        await form.clock.fastForward(30_000);
        await form.getByRole("button", { name: "Review" }).click();
        await form.locator("[data-trouble=lost]").waitFor();
        expect([form.url(), await form.getByLabel("Text").inputValue()]).toEqual([
          `${server.consoleUrl}/send`,
          "Half a text",
        ]);
        await page.bringToFront();
      });
      await page.locator("[data-trouble=lost]").waitFor({ state: "hidden" });
      await server.api("POST /routes/:name/disable", { name: "simulator" });
      await page.locator("#now-routes").getByText("Off").waitFor();
      await form.bringToFront();
      expect(await form.getByLabel("Text").inputValue()).toBe("Half a text");
      // Its character count is requested again, and with the answer the warning disappears there as well.
      await form.getByLabel("Text").fill("A whole text");
      await form.locator(".trouble:visible").first().waitFor({ state: "hidden" });
      await form.getByLabel("Recipients").fill("09123450700");
      await form.getByRole("button", { name: "Review" }).click();
      await form.getByRole("button", { name: "Send 1 message" }).click();
      await form.getByText("The message is accepted.").waitFor();
    },
    journeyMs,
  );

  test(
    "the demo's link signs its owner in once",
    async () => {
      const { data } = await replyOf(server.api("POST /users/setup-link"));
      const renewal = "bun src/main.ts user reset owner";
      const link = openDemoConsoleLink(data?.setup.url ?? "", { random: systemRandom, renewal });
      try {
        const page = await browser.newPage();
        await page.goto(link.url);
        await link.opened;
        expect(page.url()).toBe(`${server.consoleUrl}/`);
        await page.goto(`${server.consoleUrl}/users`);
        await page.getByText("This is you").or(page.locator("main table")).first().waitFor();
        const another = await (await browser.newContext()).newPage();
        expect((await another.goto(link.url))?.status()).toBe(410);
        expect(await another.locator("body").textContent()).toContain(renewal);
      } finally {
        await link.stop();
      }
    },
    journeyMs,
  );
});
