/** Times as logs and the command line write them. */

/** `at`: epoch milliseconds. `2026-11-20 15:36:00Z` */
export const plainTime = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}Z`;
