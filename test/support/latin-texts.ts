/** Finds what a page in Persian says in Latin words: sentences that nobody has translated. */

/** Data: names, codes, what people and carriers wrote. */
const data = "bdi, code, pre, kbd, script, style, textarea, [dir=ltr]:not(input), [dir=auto]:not(input)";
const spoken = ["aria-label", "placeholder", "title", "alt"];
const dataIn = /\u2068[^\u2069]*\u2069/g;
/** One or two may be a name. */
const latinWords = /[A-Za-z][A-Za-z'’-]+(?:[,.:;]? +[A-Za-z][A-Za-z'’-]*){2,}/;

/** Texts and spoken attributes with three or more Latin words in a row, apart from data. */
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
