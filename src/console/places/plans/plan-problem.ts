/** What is wrong with a routing plan, in the reader's language. */

import type { PlanProblem } from "../../../domain/plan-problem.ts";
import { englishPlanProblems, type PlanProblemTexts, planProblemText } from "../../../words/en/plan-problem.ts";
import { persianPlanProblems } from "../../../words/fa/plan-problem.ts";
import type { Language } from "../../language.ts";
import type { Locale } from "../../locale.ts";

const texts: Readonly<Record<Language, PlanProblemTexts>> = { en: englishPlanProblems, fa: persianPlanProblems };

export const planProblemSentence = (problem: PlanProblem, { language }: Locale): string =>
  planProblemText(problem, texts[language]);
