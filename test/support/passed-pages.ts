/**
 * Which pages a browser has passed, in test/fixtures/passed-pages.json: a page whose answer has the hash of one that
 * passed, before the same judges, is not visited again. `bun run pass:pages` visits what changed, and writes the file.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { comparableHtml } from "./repeatable-pages.ts";
import type { PageAnswer } from "./seeded-console.ts";

const passedFile = join(import.meta.dir, "../fixtures/passed-pages.json");

interface Passed {
  /** The hash of all that judges a page: styles, scripts, the browser, the checks. */
  judges: string;
  /** The hash of each page that they passed, by its name. */
  pages: Readonly<Record<string, string>>;
}

/** New in each answer, told by `judges`, or of the bytes on the way. */
const headersLeftOut = new Set([
  "date",
  "content-length",
  "content-encoding",
  "vary",
  "set-cookie",
  "peyk-page-version",
]);

const hashOf = (...pieces: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(pieces)).digest("hex").slice(0, 16);

/** All that a browser judges of an answer. The content of what it loads is among the judges. */
export function pageHash({ status, headers, html }: PageAnswer): string {
  const told = [...headers].filter(([name]) => !headersLeftOut.has(name)).map(([name, value]) => `${name}: ${value}`);
  const page = comparableHtml(html).replaceAll(/(\/assets\/[a-z-]+)-[0-9a-f]{12}\b/g, "$1");
  return hashOf(String(status), ...told.sort(), page);
}

export class PassedPages {
  readonly #judges: string;
  readonly #before: Passed["pages"];
  readonly #now = new Map<string, string>();

  /** With the given judges; none of `passed` counts before others. */
  constructor(judges: readonly string[], passed: Passed | null = readPassed()) {
    this.#judges = hashOf(...judges);
    this.#before = passed?.judges === this.#judges ? passed.pages : {};
  }

  /** True if the page passed as it is now. */
  knows(name: string, answer: PageAnswer): boolean {
    const hash = pageHash(answer);
    this.#now.set(name, hash);
    return this.#before[name] === hash;
  }

  /** The page's hash as it was asked about. */
  hashOf(name: string): string | undefined {
    return this.#now.get(name);
  }

  /** The pages that were asked about, and have passed now. */
  all(): Passed {
    const pages = Object.fromEntries([...this.#now].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { judges: this.#judges, pages };
  }
}

function readPassed(): Passed | null {
  return existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, "utf8")) : null;
}

export function writePassed(passed: Passed): void {
  writeFileSync(passedFile, `${JSON.stringify(passed, null, 2)}\n`);
}
