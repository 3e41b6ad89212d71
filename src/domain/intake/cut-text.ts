/** Cuts a text at a grapheme boundary, so that no visible character is split. */

/** Created when a text is first cut: few servers have an intake. */
let segmenter: Intl.Segmenter | null = null;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ellipsis = "…";
/** UTF-16 units examined per code point that may stay. */
const unitsPerCharacter = 2;

/** At most `charactersMax` code points, including the ellipsis if the text is cut. */
export function cutText(text: string, charactersMax: number): string {
  // One extra unit shows whether anything follows. Only this much is segmented, however long the text is.
  const head = text.slice(0, charactersMax * unitsPerCharacter + 1);
  let [kept, count] = ["", 0];
  let fitting = "";
  for (const { segment } of graphemesOf(head)) {
    const added = count + [...segment].length;
    if (added > charactersMax) return charactersMax === 1 ? ellipsis : `${fitting.trimEnd()}${ellipsis}`;
    kept += segment;
    count = added;
    if (count <= charactersMax - 1) fitting = kept;
  }
  return kept.length === text.length ? kept : `${fitting.trimEnd()}${ellipsis}`;
}
