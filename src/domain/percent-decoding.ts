/** Decodes the octets of a percent-encoded query or form, before any charset is assumed. */

const [percent, plus, space] = [0x25, 0x2b, 0x20];

/**
 * In place. A plus is a space; a percent sign without two hexadecimal digits stays as it is (WHATWG URL,
 * "percent-decode").
 */
export function percentDecoded(octets: Buffer): Buffer {
  let length = 0;
  for (let index = 0; index < octets.length; index += 1) {
    const octet = octets[index] ?? 0;
    const escaped = octet === percent ? hexValue(octets[index + 1]) * 16 + hexValue(octets[index + 2]) : Number.NaN;
    if (!Number.isNaN(escaped)) index += 2;
    // Writing never overtakes reading.
    octets[length++] = Number.isNaN(escaped) ? (octet === plus ? space : octet) : escaped;
  }
  return octets.subarray(0, length);
}

/** NaN if it is not a hexadecimal digit. */
function hexValue(octet = 0): number {
  const small = octet | 0x20;
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : Number.NaN;
}
