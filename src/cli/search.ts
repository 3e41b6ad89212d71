/** Reads the pages of a search. */

interface SearchPageAnswer<Item> {
  messages: readonly Item[];
  /** Null when everything has been searched. */
  nextCursor: string | null;
}

type FetchPage<Item> = (page: { limit: number; cursor?: string }) => Promise<SearchPageAnswer<Item>>;

/** The server's limit for one page. */
const pageItemsMax = 500;

/** Requests page after page until `limit` items are found; the server handles other requests in between. */
export async function* searchPages<Item>(limit: number, fetchPage: FetchPage<Item>): AsyncGenerator<readonly Item[]> {
  let found = 0;
  for (let cursor: string | null = null; ; ) {
    const page: SearchPageAnswer<Item> = await fetchPage({
      limit: Math.min(limit - found, pageItemsMax),
      ...(cursor !== null && { cursor }),
    });
    found += page.messages.length;
    if (page.messages.length > 0) yield page.messages;
    cursor = page.nextCursor;
    if (cursor === null || found >= limit) return;
  }
}

export async function searchAll<Item>(limit: number, fetchPage: FetchPage<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const page of searchPages(limit, fetchPage)) found.push(...page);
  return found;
}
