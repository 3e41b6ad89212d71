/** Origins listed by an operator to which callbacks may go although they are not public or not HTTPS. */

export interface CallbackOrigin {
  /** `http://10.0.0.5:8000`, `https://hooks.lan`: lower case, without the scheme's default port. */
  text: string;
  scheme: "http" | "https";
  /** Without the brackets of IPv6. */
  host: string;
  port: number;
}

const shape = /^https?:\/\/[^/?#@\\\s]+\/?$/i;

/** Null if the text is not an origin: it has a path, a user or another scheme. */
export function parseCallbackOrigin(text: string): CallbackOrigin | null {
  if (!shape.test(text) || !URL.canParse(text)) return null;
  return callbackOriginOf(new URL(text));
}

export function callbackOriginOf({ protocol, hostname, port, origin }: URL): CallbackOrigin | null {
  if (hostname === "" || (protocol !== "http:" && protocol !== "https:")) return null;
  const scheme = protocol === "http:" ? "http" : "https";
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { text: origin, scheme, host, port: port === "" ? (scheme === "http" ? 80 : 443) : Number(port) };
}
