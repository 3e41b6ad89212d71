/** Finds a line that is too long in a text that comes in pieces, before anything gathers it. */
export class LineLimit {
  readonly #max: number;
  #open = 0;

  /** `max`: characters (UTF-16) of one line; no piece is longer. */
  constructor(max: number) {
    this.#max = max;
  }

  /** False where the line that the piece goes on with is too long. */
  allows(piece: string): boolean {
    const end = piece.search(/[\n\r]/);
    if (this.#open + (end === -1 ? piece.length : end) > this.#max) return false;
    const lastEnd = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf("\r"));
    this.#open = piece.length - lastEnd - 1 + (end === -1 ? this.#open : 0);
    return true;
  }
}
