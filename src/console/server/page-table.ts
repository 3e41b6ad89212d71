/** Finds the declared page for a method and path. */
import type { ConsolePage, OpenPage, PageMethod } from "../page/page.ts";

type AnyPage = ConsolePage | OpenPage;

export interface FoundPage {
  page: AnyPage;
  params: Record<string, string>;
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");
const isParam = (segment: string): boolean => segment.startsWith(":");

interface Entry {
  page: AnyPage;
  segments: readonly string[];
  paramCount: number;
}

export class PageTable {
  /** Literal segments come before parameters: `/groups/new` is not the group `new`. */
  readonly #entries: readonly Entry[];

  /** @throws Error if two pages have the same method and path. */
  constructor(pages: readonly AnyPage[]) {
    const names = pages.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);
    const seen = new Set<string>();
    const twice = names.find((name) => seen.size === seen.add(name).size);
    if (twice !== undefined) throw new Error(`Two pages are declared for ${twice}.`);
    this.#entries = pages
      .map((page) => {
        const segments = segmentsOf(page.path);
        return { page, segments, paramCount: segments.filter(isParam).length };
      })
      .toSorted((a, b) => a.paramCount - b.paramCount);
  }

  /** `wrongMethod`: the path accepts another method. */
  find(method: string, path: string): FoundPage | "wrongMethod" | null {
    const asked = segmentsOf(path);
    const wanted: PageMethod | null = method === "HEAD" ? "GET" : method === "GET" || method === "POST" ? method : null;
    let isKnown = false;
    for (const { page, segments } of this.#entries) {
      const params = paramsOf(segments, asked);
      if (params === null) continue;
      if (page.method === wanted) return { page, params };
      isKnown = true;
    }
    return isKnown ? "wrongMethod" : null;
  }
}

function paramsOf(segments: readonly string[], asked: readonly string[]): Record<string, string> | null {
  if (segments.length !== asked.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = asked[index] ?? "";
    if (!isParam(segment)) {
      if (segment !== value) return null;
      continue;
    }
    const plain = decoded(value);
    if (plain === null) return null;
    params[segment.slice(1)] = plain;
  }
  return params;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
