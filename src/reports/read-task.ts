/** A question answered step by step, so that others can run in between and it can be cancelled. */

export interface ReadTask<Answer> {
  /** Some milliseconds of work inside a read transaction; null while there is more to do. */
  step(): Answer | null;
}
