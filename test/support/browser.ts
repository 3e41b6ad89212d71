import { type Browser, chromium } from "playwright-core";
import { browserAt } from "./programs.ts";

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: browserAt() ?? "chromium",
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
