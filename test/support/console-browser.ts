/** People at the console in a real browser, each with a browser of their own. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../src/domain/roles.ts";
import { type ConsoleProcess, goodPassword } from "./console.ts";
import { replyOf } from "./reply.ts";

/** For a test that does a whole piece of work in a browser, on a busy machine. */
export const journeyMs = 180_000;

export interface Visitor {
  role: Role;
  name: string;
  options?: BrowserContextOptions;
  /** For a customer; the first one by default. */
  account?: string;
}

export interface Visit {
  page: Page;
  /** The browser's complaints, including violations of the Content-Security-Policy. */
  complaints: string[];
}

/** Chooses a password through the link given to the operator. */
export async function comeIn(
  { api }: Pick<ConsoleProcess, "api">,
  browser: Browser,
  { role, name, options = {}, account = "acc_1" }: Visitor,
): Promise<Visit> {
  const { data } = await replyOf(api("POST /users", { name, role, ...(role === "customer" && { account }) }));
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(data?.setup.url ?? "");
  const fields = page.locator("input[type=password]");
  await fields.nth(0).fill(goodPassword);
  await fields.nth(1).fill(goodPassword);
  await Promise.all([
    page.waitForURL(/\/$/),
    page.locator("main button[type=submit], form button[type=submit]").last().click(),
  ]);
  return { page, complaints };
}
