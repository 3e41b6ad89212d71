/**
 * Drops text that follows a quoted CSV field and marks the field: csv-parse would otherwise drop everything read with
 * it.
 */

const quote = '"';
/** Ends the field; a file that already contains one is refused. */
const mark = "\0";

/** `matchAll` copies these, so no state is left over from another file. */
const tokens = { ",": /["\n\r,]|[^"\n\r,]+/g, ";": /["\n\r;]|[^"\n\r;]+/g };

export const hadTextAfterQuote = (field: string): boolean => field.endsWith(mark);
export const withoutMark = (field: string): string => (hadTextAfterQuote(field) ? field.slice(0, -mark.length) : field);

export class TextAfterQuotes {
  readonly #tokens: RegExp;
  readonly #fieldEnds: ReadonlySet<string>;
  #place: "start" | "plain" | "quoted" | "after quote" | "text after quote" = "start";
  /** The closing quotation mark and the spaces after it, until the next character is known. */
  #held = "";

  constructor(delimiter: "," | ";") {
    this.#tokens = tokens[delimiter];
    this.#fieldEnds = new Set([delimiter, "\n", "\r"]);
  }

  /** `piece`: the next text of the file. */
  leaveOut(piece: string): string {
    let kept = "";
    for (const [token] of piece.matchAll(this.#tokens)) kept += this.#keptOf(token);
    return kept;
  }

  /** Whatever is still held at the end of the file. */
  rest(): string {
    return this.#held;
  }

  #keptOf(token: string): string {
    const endsField = this.#fieldEnds.has(token);
    const isSpace = !endsField && token.trim() === "";
    switch (this.#place) {
      case "start":
        if (token === quote) this.#place = "quoted";
        else if (!endsField && !isSpace) this.#place = "plain";
        return token;
      case "plain":
        if (endsField) this.#place = "start";
        return token;
      case "quoted":
        if (token !== quote) return token;
        return this.#hold(quote);
      case "after quote":
        if (token === quote && this.#held === quote) return this.#release("quoted", quote);
        if (isSpace) return this.#hold(this.#held + token);
        if (endsField) return this.#release("start", token);
        this.#held = mark + quote;
        return this.#release("text after quote", "");
      case "text after quote":
        if (!endsField) return "";
        this.#place = "start";
        return token;
    }
  }

  #hold(held: string): string {
    this.#place = "after quote";
    this.#held = held;
    return "";
  }

  #release(place: "quoted" | "start" | "text after quote", token: string): string {
    const released = this.#held + token;
    this.#place = place;
    this.#held = "";
    return released;
  }
}
