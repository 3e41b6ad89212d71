/** Words shared by all pages. The texts of one place of the console are in its own `words.ts`. */
import type { Language } from "../language.ts";
import { commonWords } from "./common.ts";
import { fieldWords } from "./fields.ts";
import { formWords } from "./forms.ts";
import { placeWords } from "./places.ts";
import { sameWords } from "./same.ts";
import { termWords } from "./terms.ts";

const wordsIn = (language: Language) => ({
  ...commonWords[language],
  ...placeWords[language],
  ...termWords[language],
  ...formWords[language],
  ...fieldWords[language],
  ...sameWords[language],
});

export type Words = ReturnType<typeof wordsIn>;

export const sharedWords: Readonly<Record<Language, Words>> = { en: wordsIn("en"), fa: wordsIn("fa") };
