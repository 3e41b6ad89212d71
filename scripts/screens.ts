/**
 * Takes a screenshot of every console page, in both languages, light and dark, wide and on a phone, into
 * `dist/screens`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser } from "../test/support/browser.ts";
import { contextOf, open } from "../test/support/page-visits.ts";
import { startSeededConsole } from "../test/support/seeded-console.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(import.meta.dir, "..", "dist", "screens") },
    /** Pages, languages, themes, widths: all unless given. */
    page: { type: "string", multiple: true },
    language: { type: "string", multiple: true },
    theme: { type: "string", multiple: true },
    width: { type: "string", multiple: true },
  },
});
const chosen = <Value extends string>(all: readonly Value[], named: readonly string[] | undefined) =>
  all.filter((one) => named === undefined || named.includes(one));

const browser = await openBrowser();
mkdirSync(values.out, { recursive: true });
for (const isEmpty of [false, true]) {
  const seeded = await startSeededConsole({ isEmpty });
  for (const language of chosen(["en", "fa"], values.language))
    for (const theme of chosen(["light", "dark"], values.theme)) {
      await seeded.speak({ language, theme });
      for (const width of chosen(["1280", "360"], values.width).map(Number))
        for (const one of seeded.pages.filter(({ name }) => values.page?.includes(name) ?? true)) {
          const viewport = { width, height: width < 720 ? 740 : 800 };
          const { context, url } = await contextOf(browser, seeded, one.reader, { viewport });
          const page = await context.newPage();
          await open(page, url, one);
          await page.evaluate("document.fonts.ready.then(() => undefined)");
          const path = join(values.out, `${one.name}-${language}-${theme}-${width}.png`);
          await page.screenshot({ path, fullPage: true });
          await context.close();
        }
    }
  await seeded.stop();
}
await browser.close();
console.log(values.out);
