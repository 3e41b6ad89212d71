/** The locale of a page: a language with its words and its formats for numbers and dates. Passed down the tree once. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Calendar } from "../domain/local-calendar.ts";
import type { Brand } from "./assets/brand.ts";
import { Format } from "./format/format.ts";
import { type Direction, directionOf, type Language } from "./language.ts";
import { sharedWords, type Words } from "./words/words.ts";

export interface Locale {
  language: Language;
  direction: Direction;
  words: Words;
  format: Format;
  /** The operator's own at the portal; null for Peyk's. */
  brand: Brand | null;
}

export interface LocaleSettings {
  language: Language;
  /** An IANA name, such as `Asia/Tehran`. */
  zone: string;
  /** Whose months pages speak of, in every language: the setting `default_calendar`. */
  calendar?: Calendar;
  /** Epoch milliseconds. */
  now: number;
  brand?: Brand | null;
}

export function createLocale({ language, zone, calendar = "gregory", now, brand = null }: LocaleSettings): Locale {
  const words = sharedWords[language];
  return {
    language,
    direction: directionOf[language],
    words,
    format: new Format({ language, zone, calendar, now, units: words.units }),
    brand,
  };
}

const LocaleContext = createContext<Locale | null>(null);

export const LocaleProvider = LocaleContext.Provider;

/** A word table in both languages, as `bothLanguages` makes it. */
type BothLanguages<Table> = Readonly<Record<Language, Table>>;

/** A place's words, in the language of the page being rendered. */
export const useWords = <Table>(words: BothLanguages<Table>): Table => words[useLocale().language];

/** The locale of the page being rendered; with a place's words, these too: `const { format, say } = useLocale(keysWords)`. */
export function useLocale(): Locale;
export function useLocale<Table>(words: BothLanguages<Table>): Locale & { say: Table };
export function useLocale<Table>(words?: BothLanguages<Table>): Locale | (Locale & { say: Table }) {
  const locale = useContext(LocaleContext);
  if (locale === null) throw new Error("A component was rendered outside of renderDocument or renderPartial.");
  return words === undefined ? locale : { ...locale, say: words[locale.language] };
}
