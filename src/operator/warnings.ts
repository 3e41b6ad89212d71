/** Sentences about what may be there thousands of times: the first are told, the others counted. */

/** More of one kind would not be read. */
export const warningsToldMax = 20;

interface WarnedOf<Row> {
  /** Of the first of them, or of all. */
  rows: readonly Row[];
  /** How many there are. */
  total?: number;
  /** Of those that are not told. */
  others(count: number): string;
}

export function firstWarnings<Row>(
  { rows, total = rows.length, others }: WarnedOf<Row>,
  sentenceOf: (row: Row) => string,
): string[] {
  const told = rows.slice(0, warningsToldMax).map(sentenceOf);
  return total > told.length ? [...told, others(total - told.length)] : told;
}
