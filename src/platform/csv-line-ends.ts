/** Which line ends csv-parse looks for. */

/**
 * `beginning`: of a file. Empty where it holds one, which csv-parse then takes for all. Until a line ends csv-parse looks for its
 * own end of lines, which takes a microsecond an octet.
 */
export const csvLineEnds = (beginning: string): string[] => (/[\n\r]/.test(beginning) ? [] : ["\r\n", "\n", "\r"]);
