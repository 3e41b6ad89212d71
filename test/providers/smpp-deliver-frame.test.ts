import { expect, test } from "bun:test";
import fc from "fast-check";
import { type DeliverSm, decodeDelivery, MalformedPduError } from "../../src/smpp/codec.ts";
import { readDelivery } from "../../src/smpp/deliver-frame.ts";

const octet = fc.integer({ min: 0, max: 255 });
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
const address = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.map((byte) => byte || 1)));

/** Tag and value: those of receipts, with lengths that are right and wrong, and others. */
const parameter = fc.oneof(
  fc.tuple(fc.constantFrom(0x001e, 0x0423), octets(12)),
  fc.tuple(fc.constant(0x0427), octets(2)),
  fc.tuple(
    fc.constant(0x0427),
    octet.map((state) => Buffer.of(state)),
  ),
  fc.tuple(fc.constantFrom(0x0424, 0x020c, 0x020e, 0x020f, 0x1401), octets(4)),
);

/** A complete deliver_sm; if `isWhole` is false some octet differs, or the end is cut off or extended. */
const frames = fc
  .record({
    addresses: fc.tuple(octet, octet, address, octet, octet, address),
    flags: fc.tuple(octet, octet, octet),
    coding: octet,
    content: octets(160),
    parameters: fc.array(parameter, { maxLength: 4 }),
    isWhole: fc.boolean(),
    change: fc.record({ at: fc.nat(400), octet, length: fc.integer({ min: -12, max: 3 }) }),
  })
  .map(({ addresses, flags, coding, content, parameters, isWhole, change }) => {
    const [sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination] = addresses;
    const body = Buffer.concat([
      ...[Buffer.of(0, sourceTon, sourceNpi), source, Buffer.of(0, destinationTon, destinationNpi), destination],
      ...[Buffer.of(0, ...flags, 0, 0, 1, 0, coding, 0, content.length), content],
      ...parameters.flatMap(([tag, value]) => [Buffer.of(tag >> 8, tag & 255, 0, value.length), value]),
    ]);
    const length = isWhole ? body.length : Math.max(body.length + change.length, 0);
    const frame = Buffer.alloc(16 + length);
    body.copy(frame, 16);
    if (!isWhole && length > 0) frame[16 + (change.at % length)] = change.octet;
    frame.writeUInt32BE(frame.length, 0);
    frame.writeUInt32BE(0x05, 4);
    return frame;
  });

function resultOf(read: (frame: Buffer) => DeliverSm, frame: Buffer): DeliverSm | "malformed" {
  try {
    return read(frame);
  } catch (error) {
    if (error instanceof MalformedPduError) return "malformed";
    throw error;
  }
}

test("a deliver_sm is read as the package's own codec reads it, however damaged", () => {
  fc.assert(
    fc.property(frames, (frame) => {
      expect(resultOf(readDelivery, frame)).toEqual(resultOf(decodeDelivery, frame));
    }),
    { numRuns: 2_000 },
  );
});
