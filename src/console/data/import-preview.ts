/** What the page shows of a file before it is imported. */
import type { ImportPreviewAnswer } from "../../operator/import-preview.ts";
import type { ImportPreviewView } from "../components/import.tsx";
import type { Locale } from "../locale.ts";
import { importProblemSentence } from "../pages/import-problem.ts";

const problemsShown = 20;

export interface ImportPlace extends Pick<ImportPreviewView, "choices" | "action" | "check" | "back"> {
  /** A list of a group: no longer than the settings say. */
  isLimited: boolean;
}

export function importPreviewView(
  { columns, header, sample, members, membersMax, repeated, problemCount, problems }: ImportPreviewAnswer,
  file: string,
  { isLimited, choices, action, check, back }: ImportPlace,
  locale: Locale,
): ImportPreviewView {
  return {
    file,
    columns,
    hasHeader: header,
    sample,
    members,
    membersMax: isLimited ? membersMax : null,
    repeated,
    refusedCount: problemCount,
    refused: problems
      .slice(0, problemsShown)
      .map((problem) => ({ line: problem.line, value: "", reason: importProblemSentence(problem, locale) })),
    choices,
    action,
    check,
    back,
  };
}
