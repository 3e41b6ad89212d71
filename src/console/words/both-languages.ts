/** English words, whose type defines what Persian must provide: a missing sentence does not compile. */
import type { Language } from "../language.ts";

export const bothLanguages = <Table>(words: { en: Table; fa: NoInfer<Table> }): Readonly<Record<Language, Table>> =>
  words;
