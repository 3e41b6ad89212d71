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

const anyOrigin = "http://peyk.invalid";

/** Where a form says that its reader came from, if that is a page of ours: nobody is led away by a link to us. */
export function ownPath(text: string): string {
  const url = URL.parse(text, anyOrigin);
  // What is resolved may begin with two slashes, though what was written did not: a browser would read the name of a host there.
  if (url?.origin !== anyOrigin || !text.startsWith("/") || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
