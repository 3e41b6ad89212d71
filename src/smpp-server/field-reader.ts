/** Reads the fields of a request octet by octet: the only place where lengths in customers' input are checked. */
import { headerOctets } from "../smpp/constants.ts";

/** The whole request is refused, with the status for its answer. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  constructor(
    readonly status: number,
    message: string,
    /** What it is, where one status means many things. */
    readonly code: string | null = null,
    /** The sender that is not the account's; otherwise empty. */
    readonly sender = "",
  ) {
    super(message);
  }
}

/** ESME_RINVCMDLEN: the body ends before its fields do. */
const invalidCommandLength = 0x02;

export class FieldReader {
  #at = headerOctets;

  constructor(private readonly frame: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.frame.length;
  }

  /** @throws RequestRefused at the end of the PDU */
  octet(): number {
    const octet = this.frame[this.#at];
    if (octet === undefined) throw tooShort();
    this.#at += 1;
    return octet;
  }

  /**
   * A C-octet string of at most `octetsMax`, including its NUL; `status` is the error for a longer one. @throws
   * RequestRefused
   */
  text(octetsMax: number, status: number): string {
    const start = this.#at;
    const end = this.frame.indexOf(0, start);
    if (end === -1) throw this.frame.length - start >= octetsMax ? tooLong(status) : tooShort();
    if (end - start >= octetsMax) throw tooLong(status);
    this.#at = end + 1;
    return this.frame.toString("latin1", start, end);
  }

  /** A view into the PDU, whose buffer will be reused. @throws RequestRefused */
  octets(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.frame.length) throw tooShort();
    const octets = this.frame.subarray(this.#at, end);
    this.#at = end;
    return octets;
  }

  /** Two octets. @throws RequestRefused */
  short(): number {
    return this.octet() * 256 + this.octet();
  }

  /** Calls `take` with each optional parameter up to the end of the PDU. @throws RequestRefused */
  parameters(take: (tag: number, value: Buffer) => void): void {
    while (!this.isAtEnd) {
      const tag = this.short();
      take(tag, this.octets(this.short()));
    }
  }
}

const tooShort = () => new RequestRefused(invalidCommandLength, "the PDU ends before its fields do");
const tooLong = (status: number) => new RequestRefused(status, "a field is longer than it may be");
