/** The step between choosing a file and importing it: its first rows, what its columns are, and what is wrong with it. */
import type { MemberColumn } from "../../domain/member-columns.ts";
import type { Option } from "../components/forms.tsx";
import { ImportFindings } from "../components/import.tsx";
import { type ImportPlace, importPreviewView } from "../data/import-preview.ts";
import type { Locale } from "../locale.ts";
import { ImportPreviewPage, type ImportPreviewPageView } from "../pages/import-preview.tsx";
import type { ChosenFile, ChosenFiles } from "./chosen-files.ts";
import type { FormFields } from "./form-fields.ts";
import { document, type FormPlace, type PageAnswer, type PageCall, type PostedFields, partial } from "./page.ts";

/** Of what a column may be; the last leaves it out. */
export const columnChoices = ({ words }: Locale, columns: readonly MemberColumn[]): Option[] =>
  [...columns, "-" as const].map((value) => ({ value, label: words.imports.columns[value] }));

/** Null where no file was chosen. */
export async function keepFile({ form, viewer }: PageCall, files: ChosenFiles): Promise<string | null> {
  const file = form.file("file");
  if (file === null) return null;
  return files.keep({ userId: viewer.userId, name: file.name, bytes: await file.bytes() });
}

/** What was chosen on the page, as the operator API takes it; empty before anything was. */
export function layoutIn(form: FormFields): { columns?: string; header?: "yes" | "no" } {
  const columns: string[] = [];
  while (form.has(`column-${columns.length}`)) columns.push(form.text(`column-${columns.length}`));
  return columns.length === 0 ? {} : { columns: columns.join(","), header: form.has("header") ? "yes" : "no" };
}

export interface ImportStepPlace extends ImportPlace {
  page: Omit<ImportPreviewPageView, "preview">;
}

export async function importStep(call: PageCall, file: ChosenFile, place: ImportStepPlace): Promise<PageAnswer> {
  // A million numbers take twenty seconds.
  call.mayBeSilent();
  const sent = { file: new Blob([file.bytes]), signal: call.signal };
  const found = await call.api("POST /groups/preview", layoutIn(call.form), sent);
  const preview = importPreviewView(found, file.name, place, call.locale);
  if (call.isPiece) return partial(<ImportFindings view={preview} />);
  return document(<ImportPreviewPage shell={call.shell(place.page.place)} view={{ ...place.page, preview }} />);
}

/** The form that starts an import stands on its file's preview. */
export const formAtPreview = ({ path }: PostedFields): FormPlace => ({ page: path.replace("/import/", "/preview/") });
