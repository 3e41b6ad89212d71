/** The page of the documentation that says what to do about a condition. */
import { type ConditionCode, conditionHelp } from "../../../conditions/conditions.ts";
import type { Language } from "../../language.ts";
import { helpPath, helpTitle } from "../help/help-document.tsx";

/** In the reader's language where there is one; headings have their ids in English. */
export function conditionHelpHref(code: ConditionCode, language: Language): string {
  const [name, heading] = conditionHelp(code);
  if (language !== "en" && helpTitle(language, name) !== null) return helpPath(language, name);
  return heading === undefined ? helpPath("en", name) : `${helpPath("en", name)}#${heading}`;
}
