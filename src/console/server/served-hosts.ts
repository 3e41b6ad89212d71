/**
 * The host names that a listener accepts. A page under any other name could be a stranger's whose name now resolves to
 * our address (DNS rebinding), and could read what the user sees.
 */

export interface ServedHostsDeps {
  /** The origin used from other machines: `https://console.example.com`; null: only from this machine. */
  url: string | null;
  /** Whether the listener itself speaks TLS. */
  isTls: boolean;
}

/** Loopback names are accepted with any port: `ssh -L` chooses one. */
const loopbackHost = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

/** Null if a request's `Host` is not accepted. */
export type OriginOf = (request: Request) => string | null;

/** Returns the origin of the pages in the browser. */
export function servedHosts({ url: namedUrl, isTls }: ServedHostsDeps): OriginOf {
  const named = namedUrl === null ? null : new URL(namedUrl);
  const scheme = isTls ? "https" : "http";
  return (request) => {
    const host = request.headers.get("Host")?.toLowerCase() ?? "";
    if (named !== null && host === named.host) return named.origin;
    const url = loopbackHost.test(host) ? URL.parse(`${scheme}://${host}`) : null;
    return url?.origin ?? null;
  };
}

/**
 * Whether a request's `Host` is an address, this machine's own name or one of `names`, with any port. Browsers always
 * send it.
 */
export function servesMonitoring(names: readonly string[]): (request: Request) => boolean {
  const served = new Set(["localhost", ...names.map((name) => name.toLowerCase().replace(/\.$/, ""))]);
  return ({ headers }) => {
    const host = headers.get("Host");
    if (host === null) return true;
    const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, "") ?? "";
    return name.startsWith("[") || /^[\d.]+$/.test(name) || served.has(name);
  };
}

/**
 * Whether a form was posted by one of our pages. Browsers say so in both headers where they can: `Sec-Fetch-Site` only
 * to origins that they trust (TLS or this machine), `Origin` with every POST.
 */
export function isOwnPost({ headers }: Request, ownOrigin: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  const origin = headers.get("Origin");
  if (site === null && origin === null) return false;
  return (site === null || site === "same-origin") && (origin === null || origin.toLowerCase() === ownOrigin);
}
