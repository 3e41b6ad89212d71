/** What stands on the public listener without a key: the reference, its page, the health checks. */

/** A GET that needs no key and takes no part in rates. */
export interface Page {
  path: string;
  respond(correlationId: string): Response | Promise<Response>;
}
