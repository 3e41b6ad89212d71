/** Detects an overlong line in a text that arrives in pieces, before anything accumulates it. */
export class LineLimit {
  #open = 0;

  /** `max`: characters (UTF-16) per line; no piece is longer. */
  constructor(private readonly max: number) {}

  /** False if the line that this piece continues is too long. */
  allows(piece: string): boolean {
    const end = piece.search(/[\n\r]/);
    if (this.#open + (end === -1 ? piece.length : end) > this.max) return false;
    const lastEnd = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf("\r"));
    this.#open = piece.length - lastEnd - 1 + (end === -1 ? this.#open : 0);
    return true;
  }
}
