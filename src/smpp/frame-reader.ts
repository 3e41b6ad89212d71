/** Cuts a byte stream into PDUs, however the network split it, and refuses invalid lengths. */
import { describeReason, type Reason } from "../domain/reason.ts";
import { headerOctets, pduOctetsMax } from "./constants.ts";

/** The peer announced a PDU shorter than a header or longer than the limit: nothing after it can be read. */
export class FrameLengthError extends Error {
  override readonly name = "FrameLengthError";
  readonly reason: Reason;
  constructor(octets: number, octetsMax: number) {
    const reason = { code: "pdu_length_invalid", octets, octetsMin: headerOctets, octetsMax } as const;
    super(describeReason(reason));
    this.reason = reason;
  }
}

const lengthOctets = 4;
const noOctets = Buffer.alloc(0);

export class FrameReader {
  /** An unfinished PDU: first its length alone, then a buffer of that length. */
  #partial: Buffer = noOctets;
  #partialFilled = 0;
  /** A longer PDU is refused: before a bind, less is allowed than after. */
  octetsMax = pduOctetsMax;

  /** How many octets of an incomplete PDU are held: never more than one PDU. */
  get heldOctets(): number {
    return this.#partialFilled;
  }

  /**
   * Calls `take` with each PDU that `chunk` completes. A frame is a view into the chunk: read it before returning.
   * `take` returns false to leave the rest unread. Returns how many octets were read: all, unless it did.
   * @throws FrameLengthError
   */
  push(chunk: Buffer, take: (frame: Buffer) => boolean): number {
    let offset = 0;
    if (this.#partialFilled > 0) {
      offset = this.#fill(chunk);
      if (this.#partial.length === lengthOctets || this.#partialFilled < this.#partial.length) return offset;
      const frame = this.#partial;
      this.#reset();
      if (!take(frame)) return offset;
    }
    while (chunk.length - offset >= lengthOctets) {
      const length = this.#checkedLength(chunk, offset);
      if (chunk.length - offset < length) break;
      offset += length;
      if (!take(chunk.subarray(offset - length, offset))) return offset;
    }
    if (offset < chunk.length) this.#hold(chunk, offset);
    return chunk.length;
  }

  /** Adds as much of `chunk` as it can to the incomplete PDU; returns the number of octets taken. */
  #fill(chunk: Buffer): number {
    let offset = 0;
    if (this.#partial.length === lengthOctets) {
      offset = this.#copy(chunk, 0);
      if (this.#partialFilled < lengthOctets) return offset;
      const whole = Buffer.allocUnsafe(this.#checkedLength(this.#partial, 0));
      this.#partial.copy(whole);
      this.#partial = whole;
    }
    return offset + this.#copy(chunk, offset);
  }

  #copy(chunk: Buffer, offset: number): number {
    const copied = chunk.copy(this.#partial, this.#partialFilled, offset);
    this.#partialFilled += copied;
    return copied;
  }

  #hold(chunk: Buffer, offset: number): void {
    const length = chunk.length - offset < lengthOctets ? lengthOctets : this.#checkedLength(chunk, offset);
    this.#partial = Buffer.allocUnsafe(length);
    this.#partialFilled = chunk.copy(this.#partial, 0, offset);
  }

  #reset(): void {
    this.#partial = noOctets;
    this.#partialFilled = 0;
  }

  #checkedLength(octets: Buffer, offset: number): number {
    const length = octets.readUInt32BE(offset);
    if (length < headerOctets || length > this.octetsMax) throw new FrameLengthError(length, this.octetsMax);
    return length;
  }
}
