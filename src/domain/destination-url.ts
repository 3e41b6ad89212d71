/** Parses the URL of a webhook: refuses what its syntax alone rules out, and brings the rest into canonical form. */
import { createAddressPolicy, parseIpAddress } from "./address-policy.ts";
import { callbackOriginOf } from "./callback-origin.ts";
import { codePointLength } from "./text.ts";

/** Where a callback goes, in canonical form. */
export interface Destination {
  /** The URL as stored, shown and requested. */
  href: string;
  /** The name or address without brackets or trailing dot: it is resolved, and the certificate must match it. */
  host: string;
  port: number;
  /** Path and query, as in a request line. */
  target: string;
  /** The host is an IP address: nothing is resolved. */
  isAddress: boolean;
  /**
   * The operator listed its origin for a credential: it may be private and plain HTTP, but never a link-local or
   * metadata address.
   */
  isListed?: boolean;
  /** Without TLS; only for a listed origin. */
  isPlain?: boolean;
  /** The operator vouches for exactly this host and port: port, name and address rules are lifted, TLS is not. */
  isTrusted: boolean;
}

export type DestinationRefusal =
  | "too_long"
  | "forbidden_character"
  | "not_https"
  | "user_info"
  | "fragment"
  | "port"
  | "malformed_host"
  | "single_label"
  | "special_name"
  | "not_public";

export const destinationRefusals: Readonly<Record<DestinationRefusal, string>> = {
  too_long: "The URL may have at most 2048 characters.",
  forbidden_character: "The URL holds a space, a control character or a backslash.",
  not_https: "The URL must begin with https:// and a host name.",
  user_info: "The URL must not hold a user name or password.",
  fragment: "The URL must not hold a fragment.",
  port: "Only port 443 is allowed.",
  malformed_host: "The host name is not well formed.",
  single_label: "The host name must be fully qualified.",
  special_name: "The host name is not a public one.",
  not_public: "The host name must resolve to public addresses only.",
};

/** A URL that no subscription may have. `message` is suitable for customers. */
export class DestinationRefused extends Error {
  override readonly name = "DestinationRefused";
  constructor(readonly reason: DestinationRefusal) {
    super(destinationRefusals[reason]);
  }
}

/** An entry in the operator's list of trusted destinations that is not `host:port`. */
export class InvalidTrustedDestination extends Error {
  override readonly name = "InvalidTrustedDestination";
  constructor(readonly entry: string) {
    super(
      `"${entry}" is not a trusted destination: write host:port, such as 10.1.2.3:9443, hooks.lan:443 or [fd00::1]:9443`,
    );
  }
}

const urlCharactersMax = 2048;
const nameCharactersMax = 253;
const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Names and suffixes that are only meaningful inside a network or not at all (RFC 6761, 6762, 7686, 8375, 9476, and
 * common practice).
 */
const specialNames = [
  "localhost",
  "local",
  "internal",
  "arpa",
  "localdomain",
  "lan",
  "intranet",
  "corp",
  "home",
  "private",
  "onion",
  "alt",
  "invalid",
  "test",
  "example",
  "metadata",
] as const;

/** The operator's trusted destinations as `host:port` in canonical form. */
export type TrustedDestinations = ReadonlySet<string>;

const authorityOf = (host: string, port: number) => `${host} ${port}`;

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** `[2001:db8::1]` → `2001:db8::1`, `example.com.` → `example.com`: one form for resolver, certificate and trust. */
const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** @throws InvalidTrustedDestination for an entry that is not `host:port`. */
export function parseTrustedDestinations(entries: readonly string[]): TrustedDestinations {
  return new Set(
    entries.map((entry) => {
      const port = Number(/^[^/?#@\\\s]+:([1-9]\d{0,4})$/.exec(entry)?.[1]);
      const url = port <= 65535 ? parseUrl(`https://${entry}/`) : null;
      if (url === null || url.hostname === "") throw new InvalidTrustedDestination(entry);
      return authorityOf(bareHost(url.hostname), port);
    }),
  );
}

/** Space and below, DEL, and the backslash, which some parsers treat as a slash. */
const forbiddenCharacter = /[^!-[\]-~\u0080-\uffff]/;

/** Rejects characters that no URL may contain, whoever is to be called. */
function assertSpelling(raw: string): void {
  if (codePointLength(raw) > urlCharactersMax) throw new DestinationRefused("too_long");
  if (forbiddenCharacter.test(raw)) throw new DestinationRefused("forbidden_character");
  if (raw.includes("#")) throw new DestinationRefused("fragment");
}

/**
 * The authority as typed: WHATWG parsing tolerates `https:/x`, `https:\\x` and `user@`, but the next reader may not.
 */
function rawAuthority(raw: string): string {
  const authority = /^https:\/\/([^/?]+)/i.exec(raw)?.[1];
  if (authority === undefined) throw new DestinationRefused("not_https");
  if (authority.includes("@")) throw new DestinationRefused("user_info");
  return authority;
}

function splitAuthority(authority: string): { host: string; port: number } {
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (host === "") throw new DestinationRefused("malformed_host");
  if (port !== undefined && (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65535))
    throw new DestinationRefused("port");
  return { host, port: port === undefined ? 443 : Number(port) };
}

/**
 * At most one trailing dot, no empty label, and only characters of a DNS name. `host` has had its trailing dot removed.
 */
function assertName(host: string): void {
  const isWellFormed = host.length <= nameCharactersMax && host.split(".").every((label) => labelPattern.test(label));
  if (!isWellFormed) throw new DestinationRefused("malformed_host");
}

function assertPublicName(host: string): void {
  const isSpecial = specialNames.some((name) => host === name || host.endsWith(`.${name}`));
  const isMetadata = host.startsWith("metadata.");
  if (isSpecial || isMetadata) throw new DestinationRefused("special_name");
  if (!host.includes(".")) throw new DestinationRefused("single_label");
}

const writtenOf = ({ href, pathname, search }: URL) => ({ href, target: `${pathname}${search}` });

/** Parses a URL as a customer typed it. @throws DestinationRefused with the first rule that it breaks. */
export function parseDestination(raw: string, trusted: TrustedDestinations): Destination {
  assertSpelling(raw);
  return parseSpelled(raw, trusted);
}

function parseSpelled(raw: string, trusted: TrustedDestinations): Destination {
  const typed = splitAuthority(rawAuthority(raw));
  const url = parseUrl(raw);
  if (url === null || url.hostname === "" || typed.host.startsWith(".")) throw new DestinationRefused("malformed_host");
  const host = bareHost(url.hostname);
  const isAddress = parseIpAddress(host) !== null;
  if (!isAddress) assertName(host);
  const isTrusted = trusted.has(authorityOf(host, typed.port));
  if (!isTrusted && typed.port !== 443) throw new DestinationRefused("port");
  if (!isTrusted && !isAddress) assertPublicName(host);
  return { ...writtenOf(url), host, port: typed.port, isAddress, isTrusted };
}

/**
 * Parses a URL that came with a message. `listed`: origins that the operator allows for its credential; any other
 * follows the rules for webhooks. Nothing is resolved: an address in the URL itself is checked here, those of a name at
 * each attempt. @throws DestinationRefused
 */
export function parseCallbackUrl(raw: string, listed: readonly string[]): Destination {
  assertSpelling(raw);
  const typed = /^https?:\/\/([^/?]+)/i.exec(raw)?.[1] ?? "";
  const url = parseUrl(raw);
  const origin = url === null ? null : callbackOriginOf(url);
  const isListed = url !== null && origin !== null && !typed.includes("@") && listed.includes(origin.text);
  if (!isListed) {
    const destination = parseSpelled(raw, noDestinations);
    if (destination.isAddress && wellKnownPolicy.refusalOf(destination.host, []) !== null)
      throw new DestinationRefused("not_public");
    return destination;
  }
  const { host, port, scheme } = origin;
  const isAddress = parseIpAddress(host) !== null;
  if (isAddress && wellKnownPolicy.refusalOfListed(host) !== null) throw new DestinationRefused("not_public");
  return { ...writtenOf(url), host, port, isAddress, isTrusted: false, isListed, isPlain: scheme === "http" };
}

/** Without the operator's ranges and this host's addresses, which each attempt checks. */
const wellKnownPolicy = createAddressPolicy();
const noDestinations: TrustedDestinations = new Set();
