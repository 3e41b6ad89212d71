/**
 * Finds the declared page for a method and path, with the router by which Elysia itself routes. Not through an Elysia app:
 * to a HEAD it answers only once the answer to the GET has ended, which a page's events do not; it does not tell a known
 * path's other methods; and a saved form's page is looked up without a request. For 239 pages it would take 9 ms to
 * build and 18 ms on their first visits; this takes 0.4 ms once, and 0.7 µs a visit (processor time).
 */
import Memoirist from "memoirist";
import type { ConsolePage, OpenPage, PageMethod } from "../page/page.ts";

type AnyPage = ConsolePage | OpenPage;

export interface FoundPage {
  page: AnyPage;
  params: Record<string, string>;
}

const methods: readonly PageMethod[] = ["GET", "POST"];

export class PageTable {
  /** Literal segments come before parameters: `/groups/new` is not the group `new`. */
  readonly #router = new Memoirist<{ page: AnyPage }>({ onParam: decodeURIComponent });

  /** @throws Error if two pages have the same method and path. */
  constructor(pages: readonly AnyPage[]) {
    for (const page of pages) {
      const entry = { page };
      // By its history it would take a second page for the first one, added again.
      const kept = this.#router.add(page.method, page.path, entry, { ignoreHistory: true });
      if (kept !== entry) throw new Error(`Two pages are declared for ${page.method} ${page.path}.`);
    }
  }

  /** `wrongMethod`: the path accepts another method. */
  find(method: string, path: string): FoundPage | "wrongMethod" | null {
    const asked = `/${path.split("/").filter(Boolean).join("/")}`;
    const wanted = method === "HEAD" ? "GET" : method;
    try {
      const found = methods.map((each) => ({ each, match: this.#router.find(each, asked) }));
      const match = found.find(({ each }) => each === wanted)?.match ?? null;
      if (match !== null) return { page: match.store.page, params: match.params };
      return found.some((other) => other.match !== null) ? "wrongMethod" : null;
    } catch (reason) {
      // A parameter that is no percent-encoding.
      if (reason instanceof URIError) return null;
      throw reason;
    }
  }
}
