/** Writes a picture of every page of the console, in both languages, light and dark, wide and on a phone, to `dist/screens`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { galleryPages } from "../test/console/gallery/pages.tsx";
import { startGallery } from "../test/console/gallery/server.tsx";
import { openBrowser } from "../test/support/browser.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(import.meta.dir, "..", "dist", "screens") },
    /** Pages, languages, themes, widths: all unless named. */
    page: { type: "string", multiple: true },
    language: { type: "string", multiple: true },
    theme: { type: "string", multiple: true },
    width: { type: "string", multiple: true },
  },
});

const pages = values.page ?? Object.keys(galleryPages);
const languages = values.language ?? ["en", "fa"];
const themes = values.theme ?? ["light", "dark"];
const widths = (values.width ?? ["1280", "360"]).map(Number);

const gallery = startGallery();
const browser = await openBrowser();
mkdirSync(values.out, { recursive: true });
try {
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: width < 720 ? 740 : 800 } });
    const tab = await context.newPage();
    for (const page of pages)
      for (const language of languages)
        for (const theme of themes) {
          await tab.goto(`${gallery.url}/${language}/${theme}/${page}`);
          await tab.evaluate("document.fonts.ready.then(() => undefined)");
          await tab.screenshot({ path: join(values.out, `${page}-${language}-${theme}-${width}.png`), fullPage: true });
        }
    await context.close();
  }
} finally {
  await browser.close();
  await gallery.stop();
}
console.log(values.out);
