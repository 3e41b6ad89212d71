/** Reads an answer of JSON lines while it comes. */

/** The lines are trusted to be of the type that the operator API declares. An empty line is none. */
export async function* jsonLines<Line>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) yield JSON.parse(text);
  }
}
