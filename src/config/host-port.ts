/** Parses HOST:PORT in settings. */
import ipaddr from "ipaddr.js";

export interface HostPort {
  /** Without the brackets of an IPv6 literal. */
  host: string;
  port: number;
}

/** A label of a host name: the part between dots. */
const label = /^[a-z0-9-]{1,63}$/i;

const isHostName = (name: string): boolean =>
  name
    .replace(/\.$/, "")
    .split(".")
    .every((one) => label.test(one) && !one.startsWith("-") && !one.endsWith("-"));

/** `127.0.0.1:8080`, `localhost:8080` or `[::1]:8080`; null for anything else. */
export function parseHostPort(text: string): HostPort | null {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  if (match === null) return null;
  const [, v6, name] = match;
  const port = Number(match[3]);
  if (port > 65535) return null;
  if (v6 !== undefined) return ipaddr.IPv6.isValid(v6) ? { host: v6, port } : null;
  return name !== undefined && isHost(name) ? { host: name, port } : null;
}

/** A listener's address, from a validated setting. */
export function hostPortOf(listen: string): { hostname: string; port: number } {
  const address = parseHostPort(listen);
  if (address === null) throw new Error(`${listen} is no address to listen on`);
  return { hostname: address.host, port: address.port };
}

/** Digits and dots alone must form four octets: `10.1.2` would otherwise pass as a name. */
export function isHost(name: string): boolean {
  return /^[\d.]+$/.test(name) ? ipaddr.IPv4.isValidFourPartDecimal(name) : name.length <= 253 && isHostName(name);
}

/** The URL of a listener as this machine's browser can open it: no browser opens `0.0.0.0` or `[::]`. */
export const browsableUrl = (url: string): string =>
  url.replace(/^(https?:\/\/)0\.0\.0\.0(?=[:/]|$)/, "$1127.0.0.1").replace(/^(https?:\/\/)\[::\](?=[:/]|$)/, "$1[::1]");

/** True for an address or name that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (ipaddr.IPv4.isValidFourPartDecimal(host) && host.startsWith("127."));
