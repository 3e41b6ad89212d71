/** /docs in a real browser: complete, accessible, and without requests to other servers. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { type Api, startApi } from "../support/api.ts";
import { openBrowser } from "../support/browser.ts";
import { journeyMs } from "../support/console-browser.ts";
import { describeWith } from "../support/wants.ts";

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

describeWith("chromium")("the API reference page", () => {
  let api: Api;
  let browser: Browser;
  beforeAll(async () => {
    api = await startApi();
    browser = await openBrowser();
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(
      `shows every operation in the ${colorScheme}, loads nothing from other hosts, and passes axe`,
      async () => {
        // axe is injected as a script, which the page's policy would refuse.
        const context = await browser.newContext({ colorScheme, bypassCSP: true });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("request", (request) => {
          if (new URL(request.url()).origin !== api.base) complaints.push(`asked ${request.url()}`);
        });
        await page.goto(`${api.base}/docs`);
        await page.getByRole("heading", { name: "Peyk: Public SMS Messaging Service API" }).waitFor();
        await page.getByRole("link", { name: "Send one message", exact: false }).first().click();
        await page.getByText(`${api.base}/v1/messages`).first().waitFor();
        expect(
          await page
            .getByRole("button", { name: /test request|^send$|try it/i })
            .filter({ visible: true })
            .count(),
        ).toBe(0);
        // Fading elements have their final colours.
        await page.waitForFunction("document.getAnimations().every(({ playState }) => playState === 'finished')");
        await page.evaluate(axe);
        const found = await page.evaluate<string[]>(
          "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(found).toEqual([]);
        expect(complaints).toEqual([]);
        await context.close();
      },
      journeyMs,
    );
  }

  test(
    "runs under its own content security policy, and fits a phone",
    async () => {
      const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
      const complaints: string[] = [];
      page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
      await page.goto(`${api.base}/docs`);
      await page.getByRole("heading", { name: "Peyk: Public SMS Messaging Service API" }).waitFor();
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
      expect(complaints).toEqual([]);
    },
    journeyMs,
  );
});
