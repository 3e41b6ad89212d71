/** The headers of every page: nothing from other origins, no inline script or style, no framing, no caching. */

import { pageVersion } from "./assets/assets.ts";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types htmx",
].join("; ");

export const versionHeader = "Peyk-Page-Version";

const headers: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

export function pageHeaders(): Record<string, string> {
  return { ...headers, [versionHeader]: pageVersion() };
}
