/** Single sign-on in a real browser, whose cookies of ours do not come along from another site. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { goodPassword } from "../support/console.ts";
import { journeyMs } from "../support/console-browser.ts";
import { OwnProvider } from "../support/own-provider.ts";
import { startSignOn } from "../support/sign-on.ts";
import { describeWith } from "../support/wants.ts";

describeWith("chromium")("single sign-on in a browser", () => {
  let provider: OwnProvider;
  let server: Awaited<ReturnType<typeof startSignOn>>;
  let browser: Browser;
  beforeAll(async () => {
    provider = await OwnProvider.start();
    Object.assign(provider, { host: "localhost", asks: true });
    server = await startSignOn({ console: { issuer: provider.issuer, name: "Example ID" } });
    browser = await openBrowser();
  }, journeyMs);
  afterAll(async () => {
    await browser?.close();
    await server.stop();
    await provider.stop();
  });

  async function comeIn(options: BrowserContextOptions, button: string, to: string) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(`${server.consoleUrl}/sign-in?to=${encodeURIComponent(to)}`);
    const width = await page.locator("body").evaluate((body) => body.scrollWidth);
    await page.getByRole("link", { name: button }).click();
    await page.waitForURL(/localhost/);
    await page.getByRole("link").click();
    await page.waitForURL(server.consoleUrl + to);
    await page.locator("main h1").waitFor();
    return { context, page, width, complaints };
  }

  for (const [name, options, button] of [
    ["in English", { locale: "en" }, "Sign in with Example ID"],
    ["in Persian, without script", { locale: "fa", javaScriptEnabled: false }, "ورود با"],
  ] as const) {
    test(
      `leads to the page that was wanted, ${name}, at 360 px`,
      async () => {
        const { context, page, width, complaints } = await comeIn(options, button, "/users");
        expect([new URL(page.url()).pathname, width, complaints]).toEqual(["/users", 360, []]);
        await context.close();
      },
      journeyMs,
    );
  }

  test(
    "links the person who is signed in",
    async () => {
      const { setup } = await server.api("POST /users", { name: "local", role: "operator" });
      const page = await (await browser.newContext()).newPage();
      await page.goto(setup.url ?? "");
      for (const field of ["password", "again"]) await page.locator(`input[name=${field}]`).fill(goodPassword);
      await page.locator("button[type=submit]").first().click();
      await page.waitForURL(/\/$/);
      await page.goto(`${server.consoleUrl}/settings`);
      await page.getByRole("link", { name: "Link this user" }).click();
      await page.locator("input[name=password]").fill(goodPassword);
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByRole("link", { name: "Sign in at Example ID" }).click();
      await page.waitForURL(/localhost/);
      provider.claims = { sub: "local-1", groups: ["desk"] };
      await page.getByRole("link").click();
      await page.waitForURL(/settings/);
      await page.getByText("You can sign in with Example ID.").waitFor();
      await page.context().close();
    },
    journeyMs,
  );
});
