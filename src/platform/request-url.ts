/** The URL of a request, also of one that names no host. */

/** Bun gives the target alone where HTTP/1.0 sends no Host; the host that is filled in then means nothing. */
const nowhere = "http://localhost";

/** A target that is no URL becomes the root, where nothing is served. */
export const urlOf = ({ url }: Pick<Request, "url">): URL =>
  URL.parse(url) ?? URL.parse(url, nowhere) ?? new URL(nowhere);
