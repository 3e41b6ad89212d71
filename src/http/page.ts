/** The paths of the public listener that need no key: the reference, its page, the health checks. */

/** A GET that needs no key and is not counted in any rate. */
export interface Page {
  path: string;
  respond(correlationId: string): Response | Promise<Response>;
}
