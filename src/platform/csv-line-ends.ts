/** Chooses the line endings for csv-parse. */

/**
 * `beginning`: the start of a file. Empty if it contains a line ending, which csv-parse then detects. Otherwise
 * csv-parse would search for one at a microsecond per byte.
 */
export const csvLineEnds = (beginning: string): string[] => (/[\n\r]/.test(beginning) ? [] : ["\r\n", "\n", "\r"]);
