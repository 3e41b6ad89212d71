/** The headers of responses in the reference. */
import { exampleCorrelationId } from "./error-schema.ts";

const headerOf = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** Under their names in `components`. */
export const headerComponents = {
  "X-Correlation-Id": headerOf("The request's correlation id.", exampleCorrelationId),
  "RateLimit-Policy": headerOf("Requests (q) in a window of seconds (w).", '"default";q=120;w=60'),
  RateLimit: headerOf("Requests left (r), seconds until the window ends (t).", '"default";r=119;t=60'),
  "X-RateLimit-Limit": headerOf("Requests in a window.", "120"),
  "X-RateLimit-Remaining": headerOf("Requests left.", "119"),
  "X-RateLimit-Reset": headerOf("End of the window in epoch seconds.", "1795189020"),
  "Retry-After": headerOf("Whole seconds after which to try again.", "12"),
};
type HeaderName = keyof typeof headerComponents;

const rate: readonly HeaderName[] = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** Rates belong to a key, so a refused key has none. */
export function headerReferences({ isAuthenticated = true, hasRetryAfter = false }): Record<string, object> {
  const names: HeaderName[] = [
    "X-Correlation-Id",
    ...(isAuthenticated ? rate : []),
    ...(hasRetryAfter ? ["Retry-After" as const] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
