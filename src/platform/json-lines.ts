/** Parses a JSON Lines response as it arrives. */

/** The lines are trusted to have the type that the operator API declares. Empty lines are skipped. */
export async function* jsonLines<Line>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) yield JSON.parse(text);
  }
}
