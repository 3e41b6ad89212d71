import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

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
