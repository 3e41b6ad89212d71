/** The first words of a text, by which people recognise it. */

const lengthMax = 32;

/** In one line, cut between words where it can be. */
export function firstWords(text: string): { words: string; isCut: boolean } {
  const line = text.trim().replace(/\s+/gu, " ");
  const letters = [...line];
  if (letters.length <= lengthMax) return { words: line, isCut: false };
  const begun = letters.slice(0, lengthMax + 1).join("");
  const end = begun.lastIndexOf(" ");
  return { words: end > 0 ? begun.slice(0, end) : letters.slice(0, lengthMax).join(""), isCut: true };
}
