/** How the rules of a run's line take texts. */

/** Each but the last takes what the phones ask. */
export const takings = [
  { match: "keyword", words: ["ask"] },
  { match: "prefix", words: ["as"] },
  { match: "contains", words: ["sk"] },
  { match: "keyword", words: ["nobody"] },
] as const;

export const takesTexts = (taking: number): boolean => taking < takings.length - 1;
