/** Wrong lines of an import, in the reader's language. */
import type { Locale } from "../../../src/console/locale.ts";
import { importProblemSentence } from "../../../src/console/pages/import-problem.ts";
import { importProblemOf } from "../../../src/domain/import-problem.ts";

/** `value` stands where the number should; `cells`: the line as it stands in the file. */
export const notMobile = (line: number, cells: string, value: string, locale: Locale) => ({
  line,
  value: cells,
  reason: importProblemSentence(importProblemOf("not_mobile", { value }), locale),
});
