/** Codes with values, each declared by the English sentence that says it; types and translations derive from these. */

type Sentences = Readonly<Record<string, (...values: never[]) => unknown>>;

/** The values in each sentence. */
export type ValuesOfSentences<Table extends Sentences> = {
  [Code in keyof Table]: Parameters<Table[Code]> extends [] ? object : Parameters<Table[Code]>[0];
};

/** The same sentences in any language. */
export type SentencesOf<Values, Text = string> = { readonly [Code in keyof Values]: (values: Values[Code]) => Text };

/** One of the codes, with its values. */
export type Coded<Values, Code extends keyof Values = keyof Values> = {
  [One in Code]: { code: One; values: Values[One] };
}[Code];

export function sentenceOf<Values, Code extends keyof Values, Text>(
  { code, values }: { readonly code: Code; readonly values: Values[Code] },
  texts: SentencesOf<Values, Text>,
): Text {
  return texts[code](values);
}
