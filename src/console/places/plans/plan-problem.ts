/** What is wrong with a routing plan, in the reader's language. */

import { sentenceOf } from "../../../domain/coded.ts";
import { englishPlanProblems, type PlanProblem, type PlanProblemTexts } from "../../../domain/plan-problem.ts";
import { persianPlanProblems } from "../../../words/fa/plan-problem.ts";
import type { Language } from "../../language.ts";
import type { Locale } from "../../locale.ts";

const texts: Readonly<Record<Language, PlanProblemTexts>> = { en: englishPlanProblems, fa: persianPlanProblems };

export const planProblemSentence = (problem: PlanProblem, { language }: Locale): string =>
  sentenceOf(problem, texts[language]);
