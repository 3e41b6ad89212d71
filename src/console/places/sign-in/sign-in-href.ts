/** The addresses of sign-in, with the page that the reader wanted. */

/** The return address is also in the URL, so that it survives a form that is not read. */
export const signInHref = (path: "/sign-in" | "/sign-in/code" | "/sign-in/oidc", to: string): string =>
  to === "/" ? path : `${path}?to=${encodeURIComponent(to)}`;
