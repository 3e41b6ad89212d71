/** The URL of a request, even one without a host. */

/** Bun gives only the target if HTTP/1.0 sends no Host; the host filled in here has no meaning. */
const nowhere = "http://localhost";

/** A target that is not a URL becomes the root, where nothing is served. */
export const urlOf = ({ url }: Pick<Request, "url">): URL =>
  URL.parse(url) ?? URL.parse(url, nowhere) ?? new URL(nowhere);
