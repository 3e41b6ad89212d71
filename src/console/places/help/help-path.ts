/** The address of a documentation page. */
import type { Language } from "../../language.ts";

export const helpPath = (language: Language, name: string): string =>
  language === "fa" ? `/help/fa/${name}` : `/help/${name}`;
