/** Words for how many there are of something. */

/** `1 part`, `2 parts`. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
