/** Reads one HTTP/1.1 response as it arrives: its status, its headers, and at most 4 KiB of its body. */
import { ChunkedBody } from "./chunked-body.ts";

/** Once this much of a body has been kept, the rest is not waited for. */
const keptBodyBytesMax = 4096;
/** A longer head is refused, counting any interim (1xx) heads before it. */
const headBytesMax = 16 * 1024;
/** A chunked body may carry little in many bytes: after this many it counts as full. */
const bodyWireBytesMax = 4 * keptBodyBytesMax;

const headEnd = "\r\n\r\n";
const statusLinePattern = /^HTTP\/(1\.[01]) ([1-5]\d{2})(?: |$)/;
/** It does not trim: a lazy group between two runs of spaces took 1.8 s for a line with 16,000 of them. */
const headerLinePattern = /^([!#$%&'*+.^_`|~0-9a-z-]+):([^\r\n]*)$/i;

interface ResponseHead {
  status: number;
  version: string;
  /** By lower-case name; values of a repeated header are joined by commas. */
  headers: Map<string, string>;
}

type Framing =
  | { kind: "none" }
  | { kind: "length"; bytesLeft: number }
  | { kind: "chunked"; body: ChunkedBody }
  | { kind: "until_close" };

/** Without spaces and tabs at either end, and only those (RFC 9110 §5.6.3). */
function trimmed(value: string): string {
  const isBlank = (index: number) => value[index] === " " || value[index] === "\t";
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}

const listOf = (value: string) => value.toLowerCase().split(",").map(trimmed);

function parseHead(text: string): ResponseHead | null {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const [, version, status] = statusLinePattern.exec(statusLine) ?? [];
  if (version === undefined || status === undefined) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ""] = headerLinePattern.exec(line) ?? [];
    if (name === undefined) return null;
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? trimmed(value) : `${known}, ${trimmed(value)}`);
  }
  return { status: Number(status), version, headers };
}

/** RFC 9112 §6.3 for a response to POST. Null: the length is invalid. */
function framingOf({ status, headers }: ResponseHead): Framing | null {
  if (status === 204 || status === 304) return { kind: "none" };
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    const isChunked = listOf(coding).at(-1) === "chunked";
    return isChunked ? { kind: "chunked", body: new ChunkedBody() } : { kind: "until_close" };
  }
  const length = headers.get("content-length");
  if (length === undefined) return { kind: "until_close" };
  if (!/^\d{1,15}$/.test(length)) return null;
  return Number(length) === 0 ? { kind: "none" } : { kind: "length", bytesLeft: Number(length) };
}

/** `head`, `body`: more is needed. `ended`: the response is complete. `full`: 4 KiB are kept and the rest is not needed. */
type ResponseState = "head" | "body" | "ended" | "full" | "malformed";

export class ResponseReader {
  #state: ResponseState = "head";
  /** An incomplete head. */
  #pending: Buffer = Buffer.alloc(0);
  /** Total size of the complete heads. */
  #headBytes = 0;
  #head: ResponseHead | null = null;
  #framing: Framing = { kind: "none" };
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #wireBytes = 0;
  #hasSurplus = false;
  #hasBegun = false;

  /** At least one byte has arrived. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get state(): ResponseState {
    return this.#state;
  }

  /** Null until the final head is complete. */
  get status(): number | null {
    return this.#head?.status ?? null;
  }

  header(name: string): string | null {
    return this.#head?.headers.get(name) ?? null;
  }

  get body(): Uint8Array {
    return Buffer.concat(this.#kept);
  }

  /** The connection is between two messages, and the peer means to keep it open. */
  get isConnectionReusable(): boolean {
    const persists = this.#head?.version === "1.1" && !listOf(this.header("connection") ?? "").includes("close");
    return this.#state === "ended" && persists && this.#framing.kind !== "until_close" && !this.#hasSurplus;
  }

  push(bytes: Uint8Array): void {
    this.#hasBegun ||= bytes.length > 0;
    if (this.#state === "head") this.#pushHead(bytes);
    else if (this.#state === "body") this.#pushBody(bytes);
    else this.#hasSurplus = true;
  }

  /** The peer has closed its side: a response without a length ends here, any other is cut short. */
  close(): void {
    if (this.#state === "body" && this.#framing.kind === "until_close") this.#state = "ended";
  }

  /** A loop over interim heads, because a peer may pack a thousand of them into one read. */
  #pushHead(bytes: Uint8Array): void {
    let searchFrom = Math.max(0, this.#pending.length - headEnd.length + 1);
    let unread = Buffer.concat([this.#pending, bytes]);
    while (this.#state === "head") {
      const end = unread.indexOf(headEnd, searchFrom, "latin1");
      const length = end === -1 ? unread.length : end + headEnd.length;
      if (this.#headBytes + length > headBytesMax) this.#state = "malformed";
      else if (end === -1) {
        this.#pending = unread;
        return;
      } else {
        this.#headBytes += length;
        this.#endHead(unread.toString("latin1", 0, end));
        unread = unread.subarray(length);
        searchFrom = 0;
      }
    }
    if (unread.length > 0) this.push(unread);
  }

  #endHead(text: string): void {
    const head = parseHead(text);
    const framing = head === null ? null : framingOf(head);
    if (head === null || framing === null || head.status === 101) this.#state = "malformed";
    else if (head.status >= 200) {
      this.#head = head;
      this.#framing = framing;
      this.#state = framing.kind === "none" ? "ended" : "body";
    }
  }

  #pushBody(bytes: Uint8Array): void {
    const taken = this.#takeBody(bytes);
    this.#wireBytes += taken;
    if (taken < bytes.length) this.#hasSurplus = true;
    const isFull = this.#keptBytes >= keptBodyBytesMax || this.#wireBytes > bodyWireBytesMax;
    if (this.#state === "body" && isFull) this.#state = "full";
  }

  /** Returns how many bytes belonged to the body. */
  #takeBody(bytes: Uint8Array): number {
    const framing = this.#framing;
    if (framing.kind === "chunked") {
      const taken = framing.body.push(bytes, (content) => this.#keep(content));
      if (framing.body.isEnded) this.#state = "ended";
      else if (framing.body.isMalformed) this.#state = "malformed";
      return taken;
    }
    if (framing.kind !== "length") {
      this.#keep(bytes);
      return bytes.length;
    }
    const taken = Math.min(bytes.length, framing.bytesLeft);
    this.#keep(bytes.subarray(0, taken));
    framing.bytesLeft -= taken;
    if (framing.bytesLeft === 0) this.#state = "ended";
    return taken;
  }

  /** Copies: a kept piece must not hold the socket's whole read buffer. */
  #keep(bytes: Uint8Array): void {
    const piece = new Uint8Array(bytes.subarray(0, keptBodyBytesMax - this.#keptBytes));
    if (piece.length === 0) return;
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
  }
}
