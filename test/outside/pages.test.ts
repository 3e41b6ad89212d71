/** The Nu Html Checker on every page of console and portal, in both languages, full and empty. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { fromNpm, run } from "../support/outside-programs.ts";
import { programAt } from "../support/programs.ts";
import { type SeededConsole, startSeededConsole } from "../support/seeded-console.ts";
import { temporaryFolder } from "../support/test-server.ts";

const checker = programAt("java") === null ? null : await fromNpm("vnu-jar", "26.9.27", "vnu-jar/build/dist/vnu.jar");
const timeoutMs = 600_000;

/** Errors that stay, and why. */
const listed = {
  "of htmx, whose attributes are no HTML": /^Attribute “hx-[a-z:-]+” not allowed on element/,
  "on phones tables are laid out as blocks, which takes their meaning away; the roles give it back":
    /^The “role” attribute must not be used on a “t[drh]” element which has a “table” ancestor/,
};

interface Message {
  type: "error" | "info" | "non-document-error";
  url: string;
  message: string;
}

const folder = temporaryFolder();
const consoles: SeededConsole[] = [];
beforeAll(async () => {
  if (checker === null) return;
  for (const isEmpty of [false, true]) consoles.push(await startSeededConsole({ isEmpty }));
}, timeoutMs);
afterAll(async () => {
  for (const one of consoles) await one.stop();
  folder.remove();
});

async function check(...files: readonly string[]): Promise<Message[]> {
  const { text } = await run(["java", "-Xss4m", "-jar", checker ?? "", "--format", "json", "--stdout", ...files]);
  const { messages }: { messages: Message[] } = JSON.parse(text);
  return messages.filter(({ type }) => type !== "info");
}

test.skipIf(checker === null)(
  "the Nu Html Checker finds no error except those listed (wants java and npm)",
  async () => {
    let pages = 0;
    for (const language of ["en", "fa"] as const) {
      for (const console of consoles) {
        await console.speak({ language });
        for (const page of console.pages) {
          await Bun.write(join(folder.path, language, `${page.name}.html`), (await console.answer(page)).html);
          pages += 1;
        }
      }
    }
    const found = await check(...["en", "fa"].map((language) => join(folder.path, language)));
    const patterns = Object.values(listed);
    const unlisted = found.filter(({ message }) => patterns.every((pattern) => !pattern.test(message)));
    expect(new Set(unlisted.map(({ url, message }) => `${url.split("/").at(-1)}: ${message}`))).toEqual(new Set());
    for (const pattern of patterns) expect(found.some(({ message }) => pattern.test(message))).toBe(true);
    console.log(`vnu: ${pages} pages`);
    // The control.
    const wrong = join(folder.path, "wrong.html");
    await Bun.write(wrong, '<!doctype html><html lang="en"><title>Wrong</title><p id="a b">A space in an id</p>');
    expect(await check(wrong)).toHaveLength(1);
  },
  timeoutMs,
);
