/** Collects the pages of a search. */

interface SearchPageAnswer<Item> {
  messages: readonly Item[];
  /** Null when everything was searched. */
  nextCursor: string | null;
}

/** The server's limit for one page. */
const pageItemsMax = 500;

/** Asks for page after page until `limit` items are found; the server serves other requests in between. */
export async function searchPages<Item>(
  limit: number,
  fetchPage: (page: { limit: number; cursor?: string }) => Promise<SearchPageAnswer<Item>>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: SearchPageAnswer<Item> = await fetchPage({
      limit: Math.min(limit - found.length, pageItemsMax),
      ...(cursor !== null && { cursor }),
    });
    found.push(...page.messages);
    cursor = page.nextCursor;
    if (cursor === null || found.length >= limit) return found;
  }
}
