/**
 * Which pages are compressed: decided here for all of them.
 *
 * The length of a compressed answer tells how much of it repeats. Whoever can put text of their choice beside a secret,
 * again and again, and see the lengths on the network, guesses the secret piece by piece (BREACH). So what holds a secret
 * is sent as it is: the answer to a form, which may show what was just made or typed (keys, passwords, links, recovery
 * codes), and the pages of `secretPages`. Session cookies are in no body, and forms carry no token: a form's number is
 * new in each answer, and worth nothing.
 *
 * The rest shows recipients and texts beside what its address says, `?q=…`. That is compressed if a reader chose the
 * address: one of our pages leads there, or it was typed. A foreign page's link is not, nor is a piece that a page's
 * own script requests by itself. Streams are never compressed: every event would be held back until a block is full.
 */
import { acceptsGzip } from "../assets/assets.ts";
import type { Visit } from "../page/visit.ts";

/** Pages that show a secret when they are opened, as declared, and which secret. */
export const secretPages: ReadonlyMap<string, string> = new Map([
  ["/setup/:token", "the link's token, as the address of its form"],
  ["/settings/second-factor", "the key of an authenticator app"],
  ["/kept-form", "what was typed into a form"],
  ["/inbound/phone", "one-time passwords, which are masked everywhere else"],
  ["/alerts/receivers/:channel", "a webhook's address, which may carry a token"],
  ["/routes/:name/change", "a carrier's template, which may carry a token"],
]);

/** A smaller answer fits in one packet either way. */
const packedBytesMin = 1_400;

/** 72 KB take 0.3 ms, twice that by the level after it, and become half a per cent larger. */
const level = 4;

/** `path`: of the page, as declared. */
export function mayPack({ request, url }: Pick<Visit, "request" | "url">, path: string): boolean {
  const { headers, method } = request;
  if (!["GET", "HEAD"].includes(method) || secretPages.has(path) || !acceptsGzip(headers.get("Accept-Encoding"))) {
    return false;
  }
  return url.search === "" || isChosen(url, headers);
}

/** A browser that does not say where a request comes from is not trusted with it. */
function isChosen(url: URL, headers: Headers): boolean {
  if (headers.has("HX-Request")) return false;
  const site = headers.get("Sec-Fetch-Site");
  if (site === "none") return true;
  // Our own page repeats the request of a foreign link: see `signedOut` in `answers.tsx`.
  const from = URL.parse(headers.get("Referer") ?? "");
  const isRepeat = from?.pathname === url.pathname && from.search === url.search;
  return site === "same-origin" && from !== null && !isRepeat;
}

/** The response to a page that may be compressed. */
export function packed(html: string, init: { status: number; headers: Record<string, string> }): Response {
  const bytes = Buffer.from(html);
  if (bytes.length < packedBytesMin) return new Response(bytes, init);
  const headers = { ...init.headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" };
  return new Response(Bun.gzipSync(bytes, { level }), { ...init, headers });
}
