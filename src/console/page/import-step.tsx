/** The step between choosing a file and importing it: the first rows, what the columns are, and any problems. */
import type { MemberColumn } from "../../domain/member-columns.ts";
import type { ImportPreviewAnswer } from "../../operator/group-import.ts";
import type { Option } from "../components/forms.tsx";
import { ImportFindings, ImportPreview, type ImportPreviewView } from "../components/import.tsx";
import { type Crumb, PageLayout } from "../components/layout.tsx";
import type { FormFields } from "../forms/form-fields.ts";
import type { Locale } from "../locale.ts";
import { useLocale } from "../locale.ts";
import type { ChosenFile, ChosenFiles } from "./chosen-files.ts";
import { importProblemSentence } from "./import-problem.ts";
import { document, type FormPlace, type PageAnswer, type PageCall, type PostedFields, partial } from "./page.ts";

const leftOutColumn = "-" as const;

/** The possible meanings of a column; the last one skips it. */
export const columnChoices = ({ words }: Locale, columns: readonly MemberColumn[]): Option[] =>
  [...columns, leftOutColumn].map((value) => ({ value, label: words.imports.columns[value] }));

/** Null if no file was chosen. */
export async function keepFile({ form, viewer }: PageCall, files: ChosenFiles): Promise<string | null> {
  const file = form.file("file");
  if (file === null) return null;
  return files.keep({ userId: viewer.userId, name: file.name, bytes: await file.bytes() });
}

/** The chosen columns as the operator API takes them; empty before any choice. */
export function layoutIn(form: FormFields): { columns?: string; header?: "yes" | "no" } {
  const columns: string[] = [];
  while (form.has(`column-${columns.length}`)) columns.push(form.text(`column-${columns.length}`));
  return columns.length === 0 ? {} : { columns: columns.join(","), header: form.has("header") ? "yes" : "no" };
}

/** The wrong lines that the reader has seen and leaves out, by the button that says so; more of them stop the import. */
export function leftOutIn(form: FormFields): { leaveOut?: number } {
  const typed = form.text("leaveOut");
  return /^[0-9]{1,5}$/.test(typed) ? { leaveOut: Number(typed) } : {};
}

/** Looks through the file. `above`: the page of the list. */
export async function importStep(
  call: PageCall,
  file: ChosenFile,
  { above, ...place }: ImportPlace & { above: Crumb },
): Promise<PageAnswer> {
  // A million numbers take twenty seconds.
  call.mayBeSilent();
  const sent = { file: new Blob([file.bytes]), signal: call.signal };
  const found = await call.api("POST /groups/preview", layoutIn(call.form), sent);
  const preview = importPreviewView(found, file.name, place, call.locale);
  if (call.isPiece) return partial(<ImportFindings view={preview} />);
  return document(<ImportPreviewPage above={above} preview={preview} />);
}

/** The form that starts an import is on its file's preview. */
export const formAtPreview = ({ path }: PostedFields): FormPlace => ({ page: path.replace("/import/", "/preview/") });

const problemsShown = 20;

export interface ImportPlace extends Pick<ImportPreviewView, "choices" | "action" | "check" | "back"> {
  /** The limit for a group's list, from the settings. */
  isLimited: boolean;
}

export function importPreviewView(
  { columns, header, sample, members, membersMax, repeated, problemCount, canLeaveOut, problems }: ImportPreviewAnswer,
  file: string,
  { isLimited, choices, action, check, back }: ImportPlace,
  locale: Locale,
): ImportPreviewView {
  // A list of numbers has no use for names; a select without its value would show its first choice.
  const takenFor = columns.map((column) => (choices.some(({ value }) => value === column) ? column : leftOutColumn));
  return {
    file,
    columns: takenFor,
    hasHeader: header,
    sample,
    members,
    membersMax: isLimited ? membersMax : null,
    repeated,
    refusedCount: problemCount,
    canLeaveOut: canLeaveOut && !(isLimited && members > membersMax),
    refused: problems
      .slice(0, problemsShown)
      .map((problem) => ({ line: problem.line, value: "", reason: importProblemSentence(problem, locale) })),
    choices,
    action,
    check,
    back,
  };
}

function ImportPreviewPage({ above, preview }: { above: Crumb; preview: ImportPreviewView }) {
  const { words } = useLocale();
  return (
    <PageLayout title={words.imports.title} above={above}>
      <ImportPreview view={preview} />
    </PageLayout>
  );
}
