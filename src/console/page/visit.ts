/** One request to a listener of the console, on its way to a page. */
import type { ListenerSide } from "./listener-side.ts";

export interface Visit {
  side: ListenerSide;
  request: Request;
  url: URL;
  /** Path and query. */
  path: string;
  /** The origin of our pages in the browser. */
  origin: string;
  /** The client's address, behind any trusted proxies. */
  address: string;
  /** See `ClientConnection`. */
  mayBeSilent(): void;
}

const anyOrigin = "http://peyk.invalid";

/** Where a form says its reader came from, if that is one of our pages: our links must not redirect to other sites. */
export function ownPath(text: string): string {
  const url = URL.parse(text, anyOrigin);
  // A resolved path may start with two slashes although the written one did not: a browser would take what follows for
  // a host name.
  if (url?.origin !== anyOrigin || !text.startsWith("/") || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
