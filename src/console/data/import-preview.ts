/** What the page shows of a file before it is imported. */
import type { ImportPreviewAnswer } from "../../operator/import-preview.ts";
import type { ImportPreviewView } from "../components/import.tsx";

const problemsShown = 20;

export function importPreviewView(
  { columns, header, sample, members, repeated, problemCount, problems }: ImportPreviewAnswer,
  file: string,
  { choices, action, check, back }: Pick<ImportPreviewView, "choices" | "action" | "check" | "back">,
): ImportPreviewView {
  return {
    file,
    columns,
    hasHeader: header,
    sample,
    members,
    repeated,
    refusedCount: problemCount,
    refused: problems.slice(0, problemsShown).map(({ line, message }) => ({ line, value: "", reason: message })),
    choices,
    action,
    check,
    back,
  };
}
