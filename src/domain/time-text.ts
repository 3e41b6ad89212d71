/** Times as written in logs and on the command line. */

/** `at`: epoch milliseconds. `2026-11-20 15:36:00Z` */
export const plainTime = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}Z`;
