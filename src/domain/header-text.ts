/** What the reference says about header values that customers choose: keys of requests, names of campaigns. */

/**
 * Printable ASCII without a comma before a space, by which Bun joins a repeated header, and without a space at an end,
 * which HTTP drops. The length is stated beside it. No lookahead: not every language of generated clients has it.
 */
export const headerTextPattern = String.raw`^,*(?:[\x21-\x2b\x2d-\x7e](?: *,*[\x21-\x2b\x2d-\x7e])*(?: *,+)?)?$`;
