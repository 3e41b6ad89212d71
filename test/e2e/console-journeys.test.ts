/** Everyday work in the console, in a real browser against a running server: find why, send again, send to many, with and without JavaScript. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { comeIn, journeyMs, type Visitor } from "../support/console-browser.ts";
import { addAccounts, reaches, sendMessage, tomorrow } from "../support/console-traffic.ts";
import { describeWith } from "../support/wants.ts";

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

  test(
    "support finds a message by the end of its number, reads why it failed, and sends it again",
    async () => {
      const code = await sendMessage(server, { recipient: "09123450701" });
      await reaches(server, code, "failed");
      const { page, complaints } = await comesIn({ role: "support", name: "sam" });
      await page.getByRole("link", { name: "Messages" }).first().click();
      await page.keyboard.press("/");
      await page.keyboard.type("۴۵۰۷۰۱");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "09123450701" }).click();
      expect(await page.locator(".lead").textContent()).toContain("the network could not deliver the message.");
      await page.getByRole("link", { name: "Send again" }).click();
      const question = page.locator("dialog[open]");
      await question.getByRole("button", { name: "Send it again" }).click();
      await page.getByText("This is the new message.").waitFor();
      expect(page.url()).not.toContain(code);
      await page.goBack();
      await page.reload();
      await page.getByText("Sent again as", { exact: true }).waitFor();
      expect(complaints).toEqual([]);
    },
    journeyMs,
  );

  test(
    "an operator sends to many: the count follows the text, the review names omissions, and the number is typed",
    async () => {
      await server.api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
      await server.api("PUT /accounts/:id/billing", { id: "acc_1", list: "retail", mode: "postpaid" });
      const { page, complaints } = await comesIn({ role: "operator", name: "olga" });
      await page.goto(`${server.consoleUrl}/send`);
      const numbers = Array.from({ length: 101 }, (_, index) => `09121${String(200_000 + index)}`);
      await page.getByLabel("Recipients").fill([...numbers, "0912"].join("\n"));
      await page.getByLabel("Text").fill("س".repeat(71));
      await page.locator("#count").getByText("63 left in this part").waitFor();
      await page.locator("#count").getByText("to 101 recipients").waitFor();
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByText("One entry is left out").click();
      await page.getByText("not a mobile number").waitFor();
      await page.getByRole("button", { name: "Send 101 messages" }).click();
      await page.getByText("Type 101 to send them.").first().waitFor();
      await page.getByRole("textbox").fill("101");
      await page.getByRole("button", { name: "Send 101 messages" }).click();
      await page.getByText("101 messages are accepted.").waitFor();
      // The browser counts answers of 422 among its errors.
      expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
    },
    journeyMs,
  );

  test(
    "without JavaScript a form keeps what was typed, returns from the review, and sends",
    async () => {
      const { page } = await comesIn({ role: "owner", name: "oscar", options: { javaScriptEnabled: false } });
      await page.goto(`${server.consoleUrl}/send`);
      await page.getByLabel("Text").fill("Two\nlines");
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByText("Give at least one number.").first().waitFor();
      await page.getByLabel("Recipients").fill("0912 345 0900");
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByRole("button", { name: "Change" }).click();
      expect(await page.getByLabel("Text").inputValue()).toBe("Two\nlines");
      expect(await page.getByLabel("Recipients").inputValue()).toBe("+989123450900");
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByRole("button", { name: "Send 1 message" }).click();
      await page.getByText("The message is accepted.").waitFor();
      expect(await page.locator(".foreign").textContent()).toBe("Two\nlines");
    },
    journeyMs,
  );

  test.each([true, false])(
    "a file is previewed, its columns are chosen, and it is imported; with scripts: %p",
    async (javaScriptEnabled) => {
      const [name, code] = javaScriptEnabled ? ["ida", "live"] : ["ira", "plain"];
      await server.api("POST /groups", { account: "acc_1", code, name: "Members" });
      const { page, complaints } = await comesIn({ role: "operator", name, options: { javaScriptEnabled } });
      await page.goto(`${server.consoleUrl}/groups/${code}?account=acc_1`);
      const buffer = Buffer.from("city,who,phone\nTehran,Sara,09121234567\nQom,Ali,09127654321\n");
      await page.getByLabel("File of the new list").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByText("First rows of list.csv").waitFor();
      await page.getByLabel("Column 2").selectOption("Full name");
      await page.getByLabel("The first line names the columns").uncheck();
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Check it again" }).click();
      await page.getByText("“phone” is no mobile number").waitFor();
      expect(await page.getByLabel("Column 2").inputValue()).toBe("fullName");
      await page.getByLabel("The first line names the columns").check();
      // A poll after the import has taken the file finds none, and the browser complains.
      if (javaScriptEnabled) await page.getByText("“phone” is no mobile number").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Import", exact: true }).click();
      if (!javaScriptEnabled) {
        const look = page.getByRole("link", { name: "Look again" });
        while (await look.isVisible()) await look.click();
      }
      await page.getByText("2 members are in the new list").waitFor();
      expect(complaints).toEqual([]);
    },
    journeyMs,
  );

  test(
    "messages accepted while a list is read are announced above it, move no row, and appear on request",
    async () => {
      await sendMessage(server, { recipient: "09123450901" });
      const { page, complaints } = await comesIn({ role: "support", name: "noor" });
      await page.goto(`${server.consoleUrl}/messages?account=acc_1`);
      const row = page.getByRole("link", { name: "09123450901" });
      const before = await row.boundingBox();
      await sendMessage(server, { recipient: "09123450902", account: "acc_2", sender: "30002" });
      await sendMessage(server, { recipient: "09123450903" });
      const told = page.getByRole("link", { name: "1 new", exact: true });
      await told.waitFor();
      expect(await row.boundingBox()).toEqual(before);
      expect(await page.getByRole("link", { name: "09123450903" }).count()).toBe(0);
      await told.click();
      await page.getByRole("link", { name: "09123450903" }).waitFor();
      expect(new URL(page.url()).search).toBe("?account=acc_1");
      expect(complaints).toEqual([]);
    },
    journeyMs,
  );

  test(
    "a customer cancels its own message in the portal and finds no other account's",
    async () => {
      const own = await sendMessage(server, { recipient: "09123450444", sendAt: tomorrow() });
      const theirs = { account: "acc_2", sender: "30002", sendAt: tomorrow() };
      const other = await sendMessage(server, { recipient: "09123450555", ...theirs });
      const { page } = await comesIn({ role: "customer", name: "clinic", options: { locale: "fa" } });
      expect(await page.locator("h1").textContent()).toBe("نمای کلی");
      await page.goto(`${server.portalUrl}/messages/${other}`);
      await page.getByText("چنین صفحه‌ای نیست").waitFor();
      await page.goto(`${server.portalUrl}/messages/${own}`);
      await page.getByRole("link", { name: "لغو" }).click();
      await page.locator("dialog[open]").getByRole("button", { name: "لغو پیام" }).click();
      await page.getByText("پیش از سپردن لغو شد.").waitFor();
      await reaches(server, own, "cancelled");
      await reaches(server, other, "queued");
    },
    journeyMs,
  );
});
