/** Packs septets into octets and back (3GPP TS 23.038 §6.1.2.1); behind a header they begin at a septet's boundary. */

const septetBits = 7;
const carriageReturn = 0x0d;

/** Bits between the end of a header and the next septet (3GPP TS 23.040 §9.2.3.24). */
const fillBits = (headerOctets: number) => (septetBits - ((headerOctets * 8) % septetBits)) % septetBits;

/** Seven bits left over would read as an @: a carriage return stands there. */
export function packSeptets(septets: Uint8Array, headerOctets: number): Buffer {
  const fill = fillBits(headerOctets);
  const octets = Buffer.alloc(Math.ceil((fill + septets.length * septetBits) / 8));
  const write = (septet: number, bit: number) => {
    const shifted = septet << (bit % 8);
    const index = bit >> 3;
    octets[index] = (octets[index] ?? 0) | (shifted & 0xff);
    if (shifted > 0xff) octets[index + 1] = (octets[index + 1] ?? 0) | (shifted >> 8);
  };
  for (const [number, septet] of septets.entries()) write(septet, fill + number * septetBits);
  const usedBits = fill + septets.length * septetBits;
  if (octets.length * 8 - usedBits === septetBits) write(carriageReturn, usedBits);
  return octets;
}

export function unpackSeptets(octets: Buffer, headerOctets: number): Buffer {
  const fill = fillBits(headerOctets);
  const count = Math.max(Math.floor((octets.length * 8 - fill) / septetBits), 0);
  const septets = Buffer.alloc(count);
  for (let number = 0; number < count; number += 1) {
    const bit = fill + number * septetBits;
    const pair = (octets[bit >> 3] ?? 0) | ((octets[(bit >> 3) + 1] ?? 0) << 8);
    septets[number] = (pair >> (bit % 8)) & 0x7f;
  }
  const isPadding = septets.at(-1) === carriageReturn && fill + count * septetBits === octets.length * 8;
  return isPadding ? septets.subarray(0, -1) : septets;
}
