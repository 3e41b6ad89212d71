/** Finds Latin words on a Persian page: sentences that nobody has translated. */

/** Data: names, codes, text written by people and carriers. */
const data = "bdi, code, pre, kbd, script, style, textarea, [dir=ltr]:not(input), [dir=auto]:not(input)";
const spoken = ["aria-label", "placeholder", "title", "alt"];
const dataIn = /\u2068[^\u2069]*\u2069/g;
/** One or two words may be a name. */
const latinWords = /[A-Za-z][A-Za-z'’-]+(?:[,.:;]? +[A-Za-z][A-Za-z'’-]*){2,}/;

/** Texts and read-out attributes with three or more Latin words in a row, other than data. */
export async function latinTexts(html: string): Promise<string[]> {
  const found: string[] = [];
  let [isData, text] = [0, ""];
  const look = (words: string) => {
    if (latinWords.test(words.replace(dataIn, " · "))) found.push(words.trim());
  };
  const rewriter = new HTMLRewriter()
    .on("*", {
      element(element) {
        for (const name of spoken) look(element.getAttribute(name) ?? "");
      },
    })
    .on(data, {
      element(element) {
        isData += 1;
        element.onEndTag(() => {
          isData -= 1;
        });
      },
    })
    .onDocument({
      text(piece) {
        if (isData === 0) text += piece.text;
        if (!piece.lastInTextNode) return;
        look(text);
        text = "";
      },
    });
  await rewriter.transform(new Response(html)).text();
  return found;
}
