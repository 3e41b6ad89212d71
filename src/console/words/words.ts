/** Words shared by all pages. The texts of one place of the console are in its own `words.ts`. */
import { commonWords } from "./common.ts";
import { fieldWords } from "./fields.ts";
import { formWords } from "./forms.ts";
import { placeWords } from "./places.ts";
import { sameWords } from "./same.ts";

const en = { brand: "Peyk", ...commonWords.en, ...placeWords.en, ...formWords.en, ...fieldWords.en, ...sameWords.en };

export type Words = typeof en;

export const sharedWords: { readonly en: Words; readonly fa: Words } = {
  en,
  fa: { brand: "پیک", ...commonWords.fa, ...placeWords.fa, ...formWords.fa, ...fieldWords.fa, ...sameWords.fa },
};
