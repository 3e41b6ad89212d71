/** Reads one HTTP/1.1 answer as it arrives: its status, what a retry needs to know, and at most 4 KiB of its body. */
import { ChunkedBody } from "./chunked-body.ts";

/** What is kept of an answer's body; once it is full, the rest is not waited for. */
export const keptBodyBytesMax = 4096;
/** Heads longer than this, interim ones included, are refused. */
const headBytesMax = 16 * 1024;
/** Chunked framing costs bytes that carry nothing: this many, and the body counts as one that passed its limit. */
const bodyWireBytesMax = 4 * keptBodyBytesMax;

/** Undecoded bytes as latin1, so that a head can be cut and matched as text. */
const asText = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

type Framing =
  | { kind: "none" }
  | { kind: "length"; left: number }
  | { kind: "chunked"; body: ChunkedBody }
  | { kind: "until_close" };

interface Head {
  status: number;
  version: string;
  headers: Map<string, string>;
}

function parseHead(text: string): Head | null {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const [, version, status] = /^HTTP\/(1\.[01]) ([1-5]\d{2})(?: |$)/.exec(statusLine) ?? [];
  if (version === undefined || status === undefined) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ""] = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*(.*?)[ \t]*$/i.exec(line) ?? [];
    if (name === undefined) return null;
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`);
  }
  return { status: Number(status), version, headers };
}

/** RFC 9112 §6.3 for an answer to POST. Null: a length that cannot be believed. */
function framingOf({ status, headers }: Head): Framing | null {
  if (status === 204 || status === 304) return { kind: "none" };
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    return /(?:^|,)[ \t]*chunked$/i.test(coding)
      ? { kind: "chunked", body: new ChunkedBody() }
      : { kind: "until_close" };
  }
  const length = headers.get("content-length");
  if (length === undefined) return { kind: "until_close" };
  return /^\d{1,15}$/.test(length) ? { kind: "length", left: Number(length) } : null;
}

/** `head`, `body`: more is wanted. `ended`: the answer is whole. `full`: 4 KiB are kept and the rest is of no interest. */
export type AnswerState = "head" | "body" | "ended" | "full" | "malformed";

export class AnswerReader {
  #state: AnswerState = "head";
  #headText = "";
  #headBytes = 0;
  #head: Head | null = null;
  #framing: Framing = { kind: "none" };
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #wireBytes = 0;
  #hasSurplus = false;
  #hasBegun = false;

  /** At least one byte came. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get state(): AnswerState {
    return this.#state;
  }

  /** Null until the head is there. */
  get status(): number | null {
    return this.#head?.status ?? null;
  }

  header(name: string): string | null {
    return this.#head?.headers.get(name) ?? null;
  }

  get body(): Uint8Array {
    return Buffer.concat(this.#kept);
  }

  /** The connection is at a message boundary and the peer means to keep it. */
  get isConnectionReusable(): boolean {
    const persists =
      this.#head?.version === "1.1" && !/(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(this.header("connection") ?? "");
    return this.#state === "ended" && persists && this.#framing.kind !== "until_close" && !this.#hasSurplus;
  }

  push(bytes: Uint8Array): void {
    this.#hasBegun ||= bytes.length > 0;
    if (this.#state === "head") this.#pushHead(bytes);
    else if (this.#state === "body") this.#pushBody(bytes);
    else this.#hasSurplus = true;
  }

  /** The peer has closed its side: an answer without a length ends here, any other is cut short. */
  close(): void {
    if (this.#state === "body" && this.#framing.kind === "until_close") this.#state = "ended";
  }

  #pushHead(bytes: Uint8Array): void {
    const before = this.#headText.length;
    this.#headText += asText(bytes);
    const end = this.#headText.indexOf("\r\n\r\n", Math.max(0, before - 3));
    this.#headBytes += end === -1 ? bytes.length : end + 4 - before;
    if (this.#headBytes > headBytesMax) this.#state = "malformed";
    else if (end !== -1) this.#endHead(this.#headText.slice(0, end), bytes.subarray(end + 4 - before));
  }

  #endHead(text: string, rest: Uint8Array): void {
    this.#headText = "";
    const head = parseHead(text);
    const framing = head === null ? null : framingOf(head);
    if (head === null || framing === null || head.status === 101) {
      this.#state = "malformed";
      return;
    }
    if (head.status < 200) {
      if (rest.length > 0) this.#pushHead(rest);
      return;
    }
    this.#head = head;
    this.#framing = framing;
    const isEmpty = framing.kind === "none" || (framing.kind === "length" && framing.left === 0);
    this.#state = isEmpty ? "ended" : "body";
    if (rest.length > 0) this.push(rest);
  }

  #pushBody(bytes: Uint8Array): void {
    const taken = this.#takeBody(bytes);
    this.#wireBytes += taken;
    if (taken < bytes.length) this.#hasSurplus = true;
    const isFull = this.#keptBytes >= keptBodyBytesMax || this.#wireBytes > bodyWireBytesMax;
    if (this.#state === "body" && isFull) this.#state = "full";
  }

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
    const taken = Math.min(bytes.length, framing.left);
    this.#keep(bytes.subarray(0, taken));
    framing.left -= taken;
    if (framing.left === 0) this.#state = "ended";
    return taken;
  }

  /** Copies: a kept piece must not hold the socket's whole read buffer. */
  #keep(bytes: Uint8Array): void {
    const piece = bytes.slice(0, keptBodyBytesMax - this.#keptBytes);
    if (piece.length === 0) return;
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
  }
}
