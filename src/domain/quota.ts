/** Limits of a quota. */
import { type OperatorProblem, problemOf } from "./operator-problem.ts";

/** Parts; far above what any carrier takes in a month. */
export const quotaPartsMax = 1_000_000_000_000;

/** The problems of the parts, by period name; null lifts a quota. */
export const quotaProblems = (limits: Readonly<Record<string, number | null>>): OperatorProblem[] =>
  Object.entries(limits).flatMap(([period, partsMax]) =>
    partsMax === null || (partsMax >= 0 && partsMax <= quotaPartsMax)
      ? []
      : [problemOf(period, "whole_number", { min: 0, max: quotaPartsMax })],
  );
