/** However the network splits a stream, the same PDUs come out; an invalid length ends it. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameLengthError, FrameReader } from "../../src/smpp/frame-reader.ts";

function pduOf(bodyOctets: number, fill: number): Buffer {
  const pdu = Buffer.alloc(16 + bodyOctets, fill);
  pdu.writeUInt32BE(pdu.length, 0);
  return pdu;
}

function framesOf(chunks: readonly Buffer[]): string[] {
  const reader = new FrameReader();
  const frames: string[] = [];
  for (const chunk of chunks) {
    reader.push(chunk, (frame) => {
      frames.push(frame.toString("hex"));
      return true;
    });
  }
  return frames;
}

function chopped(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let offset = 0;
  for (let turn = 0; offset < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(stream.subarray(offset, offset + size));
    offset += size;
  }
  return chunks;
}

describe("a stream of PDUs", () => {
  test("yields the same PDUs however it is split", () => {
    const pdus = fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 12 });
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pdus, sizes, (bodies, pieces) => {
        const written = bodies.map(([octets, fill]) => pduOf(octets, fill));
        expect(framesOf(chopped(Buffer.concat(written), pieces))).toEqual(written.map((pdu) => pdu.toString("hex")));
      }),
    );
  });

  test("accepts the shortest and the longest PDU, even in single octets", () => {
    const written = [pduOf(0, 1), pduOf(131_072 - 16, 2), pduOf(0, 3)];
    expect(framesOf(chopped(Buffer.concat(written), [1]))).toEqual(written.map((pdu) => pdu.toString("hex")));
  });

  test.each([0, 15, 131_073, 0x7fffffff, 0x80000000, 0xffffffff])("refuses a PDU that claims %d octets", (length) => {
    const lie = Buffer.alloc(20);
    lie.writeUInt32BE(length, 0);
    expect(() => framesOf([lie])).toThrow(FrameLengthError);
    expect(() => framesOf(chopped(lie, [1]))).toThrow(FrameLengthError);
    expect(() => framesOf(chopped(Buffer.concat([pduOf(5, 1), lie]), [3]))).toThrow(FrameLengthError);
  });

  test("keeps no more than the unfinished PDU", () => {
    const reader = new FrameReader();
    const start = pduOf(1000, 7);
    reader.push(Buffer.concat([pduOf(40, 1), start.subarray(0, 500)]), () => true);
    expect(reader.heldOctets).toBe(500);
    reader.push(start.subarray(500), () => true);
    expect(reader.heldOctets).toBe(0);
  });
});
