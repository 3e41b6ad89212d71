/** Decodes a chunked body (RFC 9112 §7.1) as it arrives. */

/** A longer chunk-size line or trailer is refused. */
const lineBytesMax = 1024;

const CR = 0x0d;
const LF = 0x0a;

export class ChunkedBody {
  #state: "size" | "content" | "content_end" | "trailer" | "ended" | "malformed" = "size";
  #line = "";
  #bytesLeft = 0;

  get isEnded(): boolean {
    return this.#state === "ended";
  }

  get isMalformed(): boolean {
    return this.#state === "malformed";
  }

  /** Calls `keep` with each piece of content in `bytes`; returns how many bytes belonged to this body. */
  push(bytes: Uint8Array, keep: (content: Uint8Array) => void): number {
    let position = 0;
    while (position < bytes.length && !this.isEnded && !this.isMalformed) {
      position = this.#state === "content" ? this.#takeContent(bytes, position, keep) : this.#takeLine(bytes, position);
    }
    return position;
  }

  #takeContent(bytes: Uint8Array, from: number, keep: (content: Uint8Array) => void): number {
    const until = Math.min(bytes.length, from + this.#bytesLeft);
    keep(bytes.subarray(from, until));
    this.#bytesLeft -= until - from;
    if (this.#bytesLeft === 0) this.#state = "content_end";
    return until;
  }

  #takeLine(bytes: Uint8Array, from: number): number {
    const lineFeed = bytes.indexOf(LF, from);
    const until = lineFeed === -1 ? bytes.length : lineFeed;
    if (this.#line.length + until - from > lineBytesMax) {
      this.#state = "malformed";
      return until;
    }
    this.#line += String.fromCharCode(...bytes.subarray(from, until));
    if (lineFeed === -1) return until;
    const line = this.#line.charCodeAt(this.#line.length - 1) === CR ? this.#line.slice(0, -1) : this.#line;
    this.#line = "";
    this.#endLine(line);
    return until + 1;
  }

  #endLine(line: string): void {
    if (this.#state === "content_end") this.#state = line === "" ? "size" : "malformed";
    else if (this.#state === "size") this.#beginChunk(line);
    else if (line === "") this.#state = "ended";
  }

  #beginChunk(line: string): void {
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
    if (size === undefined) {
      this.#state = "malformed";
      return;
    }
    this.#bytesLeft = Number.parseInt(size, 16);
    this.#state = this.#bytesLeft === 0 ? "trailer" : "content";
  }
}
