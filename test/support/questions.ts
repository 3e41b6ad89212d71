/** Support's questions: each is asked at the first page of the console, and its clicks are counted. */
import type { Page } from "playwright-core";
import { eventually } from "./peyk-process.ts";

export const menu = (path: string) => `.menu a[href="${path}"]`;
export const row = (name: string) => `.record:has-text("${name}")`;
export const confirm = "dialog[open] button[type=submit]";

export const latin = (text: string | null) =>
  (text ?? "").replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0)).replace(/[٬,]/g, "");

/** With TEST_TELL=1 it prints how long each took. */
export class Questions {
  readonly clicks: Record<string, number> = {};
  readonly #startedAtMs = new Map<string, number>();
  readonly #page: Page;
  readonly #url: string;
  #asked = "";

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async ask(question: string, ...path: readonly string[]): Promise<void> {
    this.#asked = question;
    this.clicks[question] = 0;
    this.#startedAtMs.set(question, performance.now());
    await this.#page.goto(this.#url);
    await this.click(...path);
  }

  async click(...path: readonly string[]): Promise<void> {
    for (const selector of path) {
      await this.#page.locator(selector).first().click();
      this.clicks[this.#asked] = (this.clicks[this.#asked] ?? 0) + 1;
    }
  }

  tell(language: string): void {
    if (process.env.TEST_TELL !== "1") return;
    const ends = [...[...this.#startedAtMs.values()].slice(1), performance.now()];
    for (const [index, [question, startedAtMs]] of [...this.#startedAtMs].entries()) {
      const ms = Math.round((ends[index] ?? startedAtMs) - startedAtMs);
      console.log(`${language}  ${question}: ${this.clicks[question]} clicks, ${ms} ms`);
    }
  }

  /** Waits until it reads so, with Latin digits: a click does not wait for the page that it leads to. */
  async shows(selector: string, text: RegExp): Promise<void> {
    const element = this.#page.locator(selector).first();
    await eventually(async () => text.test(latin(await element.textContent())));
  }
}
