/** Mutants that no test can kill, because nobody could tell the difference; each was read, and says why. */

export interface Equivalent {
  file: string;
  /** The line's text from where the mutant begins, as far as it is unmistakable. */
  original: string;
  /** What the mutant puts there; absent if the reason holds for all of them. */
  replacement?: string;
  why: string;
}

export const equivalent: readonly Equivalent[] = [];
