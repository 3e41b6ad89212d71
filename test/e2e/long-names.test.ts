/** Names of one long word: no page grows wider than its screen. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { comeIn, journeyMs } from "../support/console-browser.ts";
import { replyOf } from "../support/reply.ts";
import { describeWith } from "../support/wants.ts";

const word = "Ω".repeat(100);
const code = "w".repeat(40);

describeWith("chromium")("names of a hundred letters without a space", () => {
  let server: ConsoleProcess;
  let browser: Browser;
  beforeAll(async () => {
    server = await startConsole(({ portal }) => ({ portalListen: "127.0.0.1:0", portal: { ...portal, name: code } }));
    browser = await openBrowser();
    await addLongNames(server);
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const pages = {
    operator: [
      "/",
      "/accounts",
      "/accounts/acc_1",
      "/accounts/acc_1/keys",
      "/accounts/acc_1/senders",
      "/groups",
      `/groups/${code}?account=acc_1`,
      "/patterns",
      `/patterns/${code}?account=acc_1`,
      "/approvals",
      "/routes",
      `/routes/${code}`,
      "/send",
      "/messages",
      "/prices",
      "/reports",
      "/audit",
      "/callbacks",
      "/campaigns",
      "/conversation?account=acc_1&number=%2B989121234500",
      "/money",
      "/accounts/acc_1/money",
      "/accounts/acc_1/balance",
      "/accounts/acc_1/settings",
      "/senders",
      `/prices/${code}`,
      `/prices/${code}/history/*`,
      "/alerts",
    ],
    customer: [
      ...["/", "/send", "/messages", "/keys", "/groups", "/patterns", "/callbacks", "/usage"],
      ...["/callbacks/new", "/campaigns", "/conversation?number=%2B989121234500", "/money", "/account"],
      "/credentials/new",
    ],
  };

  for (const role of ["operator", "customer"] as const) {
    test(
      `make no page wider than the screen for the role ${role}`,
      async () => {
        const { page, complaints } = await comeIn(server, browser, { role, name: role });
        const origin = new URL(page.url()).origin;
        const wide: string[] = [];
        for (const path of pages[role]) {
          const answer = await page.goto(origin + path);
          if (answer?.status() !== 200) wide.push(`${path} answered ${answer?.status()}`);
          for (const width of [360, 768, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
            if (needed > width) wide.push(`${path} wants ${needed} of ${width}`);
          }
        }
        expect(wide).toEqual([]);
        expect(complaints).toEqual([]);
      },
      journeyMs,
    );
  }
});

async function addLongNames({ api }: ConsoleProcess): Promise<void> {
  const done = async (reply: Parameters<typeof replyOf>[0]) => {
    const { error } = await replyOf(reply);
    if (error) throw new Error(JSON.stringify(error));
  };
  const sent = { account: "acc_1", sender: "W".repeat(20), message: word, clientReference: code };
  await done(api("POST /accounts", { name: word }));
  await done(api("POST /keys", { account: "acc_1", name: word }));
  await done(api("POST /routes", { name: code, kind: "simulator", options: {} }));
  await done(api("POST /accounts/:id/senders", { id: "acc_1", sender: "W".repeat(20), routes: [code] }));
  await done(api("POST /groups", { account: "acc_1", code, name: word }));
  await done(api("POST /patterns", { account: "acc_1", code, name: word, text: word }));
  await done(api("POST /prices/:list", { list: code, prefix: "*", price: "120" }));
  await done(api("POST /messages", { ...sent, idempotencyKey: "long", recipients: ["09121234500", "09121234501"] }));
  await done(api("PUT /accounts/:id/billing", { id: "acc_1", list: code, mode: "postpaid" }));
}
