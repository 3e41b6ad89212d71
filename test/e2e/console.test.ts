/** The console as a person uses it: a real server, a real browser. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";
import { describeWith } from "../support/wants.ts";

const journeyMs = 60_000;

describeWith("chromium")("the console in a browser", () => {
  let server: ConsoleProcess;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), openBrowser()]);
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function freshPage(): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    return { page, complaints };
  }

  const submit = (page: Page) => page.click("main button.button-primary");

  test(
    "the first owner signs in by the setup link, and the first page keeps itself current",
    async () => {
      const { data } = await replyOf(server.api("POST /users/setup-link"));
      const { page, complaints } = await freshPage();
      await page.goto(data?.setup.url ?? "");
      await page.fill("[name=password]", goodPassword);
      await page.fill("[name=again]", goodPassword);
      await submit(page);
      await page.waitForURL(`${server.consoleUrl}/first/carrier`);
      await page.getByRole("link", { name: "Leave for now" }).click();
      expect(await page.locator("#now-needs h2").textContent()).toContain("All is well");
      await server.api("POST /accounts", { name: "Clinic" });
      await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001" });
      // Without a reload: the stream delivers it.
      await page.getByText("The simulator carries 30001.").waitFor();
      await server.api("POST /routes/:name/disable", { name: "simulator" });
      await page.locator("#now-routes").getByText("Off").waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    journeyMs,
  );

  test(
    "a session ended elsewhere is reported on the open page, without a reload",
    async () => {
      await signedInAs(server, "support", { name: "sam" });
      const { page } = await freshPage();
      await page.goto(`${server.consoleUrl}/`);
      await page.fill("[name=user]", "sam");
      await page.fill("[name=password]", goodPassword);
      await submit(page);
      await page.locator("#now-needs").waitFor();
      await page.waitForLoadState("load");
      await server.api("POST /users/:name/disable", { name: "sam" });
      await page.getByText("You are signed out.").waitFor();
      await page.context().close();
    },
    journeyMs,
  );

  test(
    "language and theme change at once and stay, before and after sign-in",
    async () => {
      const { page, complaints } = await freshPage();
      await signedInAs(server, "support", { name: "lana" });
      await page.goto(`${server.consoleUrl}/sign-in`);
      await page.click(".preferences [lang=fa]");
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      await page.fill("[name=user]", "lana");
      await page.fill("[name=password]", goodPassword);
      await submit(page);
      await page.locator("#now").waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("fa");
      await page.click(".themes [value=dark]");
      await page.waitForFunction("document.documentElement.dataset.theme === 'dark'");
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    journeyMs,
  );

  test(
    "a second factor is scanned, confirmed, and asked for at the next sign-in",
    async () => {
      const client = await signedInAs(server, "support", { name: "fay" });
      const { page, complaints } = await freshPage();
      const [name = "", value = ""] = [...client.cookies][0] ?? [];
      await page.context().addCookies([{ name, value, url: server.consoleUrl }]);
      await page.goto(`${server.consoleUrl}/settings/second-factor`);
      expect(await page.locator("svg.qr-code path").getAttribute("d")).toMatch(/^M2 2h1v1h-1z/);
      const secret = await page.locator("[name=secret]").inputValue();
      const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
      await page.fill("[name=code]", code(0));
      await page.fill("[name=password]", goodPassword);
      await submit(page);
      expect((await page.locator("code").textContent())?.split("\n")).toHaveLength(10);
      await page.click(".menu-foot form[action='/sign-out'] button");
      await page.fill("[name=user]", "fay");
      await page.fill("[name=password]", goodPassword);
      await submit(page);
      await page.waitForURL(/\/sign-in\/code/);
      await page.fill("[name=code]", code(1));
      await submit(page);
      await page.waitForURL(`${server.consoleUrl}/`);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    journeyMs,
  );

  test(
    "a link in a mail leads to its page, whether its reader is signed in or not",
    async () => {
      const client = await signedInAs(server, "support", { name: "mia" });
      const target = `${server.consoleUrl}/menu?from=mail`;
      const mail = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Response(`<a href="${target}">See it</a>`, { headers: { "Content-Type": "text/html" } }),
      });
      const { page } = await freshPage();
      const [name = "", value = ""] = [...client.cookies][0] ?? [];
      const cookie = { name, value, url: server.consoleUrl, sameSite: "Strict" as const };
      for (const [cookies, arrival] of [
        [[], /\/sign-in\?to=%2Fmenu%3Ffrom%3Dmail$/],
        [[cookie], /\/menu\?from=mail$/],
      ] as const) {
        await page.context().addCookies([...cookies]);
        await page.goto(`http://localhost:${mail.port}`);
        await page.click("a");
        await page.waitForURL(arrival);
      }
      await page.locator("nav").first().waitFor();
      await page.context().close();
      await mail.stop(true);
    },
    journeyMs,
  );
});
