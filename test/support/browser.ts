/** Debian's Chromium, without a window, for the tests that look at pages and for the pictures of them. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Without it the tests that look at pages are skipped, and say so. */
export function isChromiumInstalled(): boolean {
  const isInstalled = existsSync(executablePath);
  if (!isInstalled) console.log("skipped: chromium is not installed (apt-get install chromium)");
  return isInstalled;
}

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}
