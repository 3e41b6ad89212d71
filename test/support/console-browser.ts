/** People at the console in a real browser, each with a browser of their own. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../src/domain/roles.ts";
import { type ConsoleProcess, goodPassword } from "./console.ts";
import { replyOf } from "./reply.ts";

/** For a test in which a browser does a whole piece of work, on a machine that is busy. */
export const journeyMs = 60_000;

export interface Visitor {
  role: Role;
  name: string;
  options?: BrowserContextOptions;
  /** Of a customer; the first one unless named. */
  account?: string;
}

export interface Visit {
  page: Page;
  /** What the browser complains of, refusals of the Content-Security-Policy among it. */
  complaints: string[];
}

/** Chooses a password by the link that the operator was given. */
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
