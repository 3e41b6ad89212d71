/** One request to a listener of the console, on its way to a page. */

export interface Visit {
  request: Request;
  url: URL;
  /** Path and query. */
  path: string;
  /** The origin that our pages have in the browser. */
  origin: string;
  /** The client's, past the proxies that are trusted. */
  address: string;
  /** See `ClientConnection`. */
  mayBeSilent(): void;
}

/** Where a form says that its reader came from, if that is a page of ours: nobody is led away by a link to us. */
export function ownPath(text: string): string {
  const isPath = text.startsWith("/") && !text.startsWith("//") && !/[\\\p{Cc}]/u.test(text);
  return isPath ? text : "/";
}
