/** Paths of the public listener that need no key: the reference, its page, the health checks. */

/** A GET without a key or a rate limit. */
export interface Page {
  path: string;
  respond(correlationId: string): Response | Promise<Response>;
}
