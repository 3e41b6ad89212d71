/** Warnings that may apply to thousands of things: the first are listed, the others counted. */

/** Nobody would read more of one kind. */
export const warningsToldMax = 20;

interface WarnedOf<Row> {
  /** The first of them, or all. */
  rows: readonly Row[];
  /** The total. */
  total?: number;
  /** For those that are not listed. */
  others(count: number): string;
}

export function firstWarnings<Row>(
  { rows, total = rows.length, others }: WarnedOf<Row>,
  warningSentence: (row: Row) => string,
): string[] {
  const told = rows.slice(0, warningsToldMax).map(warningSentence);
  return total > told.length ? [...told, others(total - told.length)] : told;
}
