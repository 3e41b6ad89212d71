/** What is wrong with a line of a file of members or numbers, in the reader's language. */
import { type ImportProblem, importProblemText } from "../../domain/import-problem.ts";
import type { Locale } from "../locale.ts";
import { persianImportProblems } from "../words/fa/import-problem.ts";

export const importProblemSentence = (problem: ImportProblem, { language }: Locale): string =>
  language === "fa" ? importProblemText(problem, persianImportProblems) : problem.message;
