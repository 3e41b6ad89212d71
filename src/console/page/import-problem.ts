/** What is wrong with a line of a file of members or numbers, in the reader's language. */
import { sentenceOf } from "../../domain/coded.ts";
import type { ImportProblem } from "../../domain/import-problem.ts";
import { persianImportProblems } from "../../words/fa/import-problem.ts";
import type { Locale } from "../locale.ts";

export const importProblemSentence = (problem: ImportProblem, { language }: Locale): string =>
  language === "fa" ? sentenceOf(problem, persianImportProblems) : problem.message;
